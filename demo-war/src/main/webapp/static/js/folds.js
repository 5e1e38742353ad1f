const WIDE = matchMedia('(min-width: 761px)');

/** Folds on a telephone what is not needed at a glance; opens it on a wider screen. */
export function connectFolds() {
  const fold = () => document.querySelectorAll('details').forEach((part) => { part.open = WIDE.matches; });
  fold();
  WIDE.addEventListener('change', fold);
}
