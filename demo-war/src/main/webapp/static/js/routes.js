/** The routes of the demo, as the form offers them. */
export const ROUTES = [
  {id: 'hello', method: 'GET', path: 'api/hello', limit: '2 per second, burst 10, by key', keyed: true},
  {id: 'login', method: 'POST', path: 'login', limit: '5 per minute, by address'},
  {id: 'report', method: 'GET', path: 'rest/reports/7', limit: '20 per minute, by address'},
  {id: 'static', method: 'GET', path: 'static/hello.txt', limit: 'no limit, so not counted'},
];
