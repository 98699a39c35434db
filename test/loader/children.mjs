// Processes that tests start with `process.execArgv` get the loader (register.mjs), by absolute URL, and not the test
// runner's.
const loader = `--import=${new URL('register.mjs', import.meta.url)}`;
const others = process.execArgv.filter((argument) => !argument.startsWith('--import'));
process.execArgv.splice(0, Infinity, ...others, loader);
