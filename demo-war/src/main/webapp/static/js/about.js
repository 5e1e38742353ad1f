import {byId} from './dom.js';

const OWN_RULES = '/WEB-INF/weir.yaml';

/** Shows which version this is, and links the text of its rules where a node may show it. */
export function showAbout(status) {
  if (status !== null) {
    byId('version').textContent = `Weir ${status.version}`;
    byId('rules').hidden = status.config !== OWN_RULES;
  }
}
