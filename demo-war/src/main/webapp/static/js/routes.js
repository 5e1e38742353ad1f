/** The routes of the demo, as the form offers them. */
export const ROUTES = [
  {id: 'hello', method: 'GET', path: 'api/hello', limit: '2 per second, burst 10, for each API key', keyed: true},
  {id: 'login', method: 'POST', path: 'login', limit: '5 per minute, for each address'},
  {id: 'report', method: 'GET', path: 'rest/reports/7', limit: '20 in a minute’s window, for each address'},
  {id: 'static', method: 'GET', path: 'static/hello.txt', limit: 'not limited'},
];
