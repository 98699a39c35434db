// Makes zod interpret schemas instead of compiling them; entries of the library import it before anything that makes a schema.
// Most processes check a few payloads: compilation took 0.6 of the time of one payload's checks, and thousands of payloads are
// checked as fast without it (measured: 0.9 of the time).
import { config } from 'zod';

config({ jitless: true });
