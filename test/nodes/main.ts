// npm run measure: what a request costs the database (docs/scaling.md).
import { skipped } from '../store/postgres/server.js';
import { measure } from './measure.js';

if (skipped) {
  console.error(skipped);
  process.exitCode = 1;
} else {
  await measure((line) => console.log(line));
}
