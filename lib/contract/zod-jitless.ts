// Imported before any schema is made: schemas are interpreted, not compiled. For a process that checks one payload; to
// compile them first took 0.6 of the time of its checks.
import { config } from 'zod';

config({ jitless: true });
