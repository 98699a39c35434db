// The module that require('platen') loads. It loads the ES module if Node can do that, or else says what to do.
try {
  module.exports = require('./index.js');
} catch (error) {
  const { code } = error as { code?: unknown };
  if (code !== 'ERR_REQUIRE_ESM') throw error;
  const message =
    'platen is an ES module, which require() loads in Node 20.19, 22.12 and newer: update Node, or use' +
    " const { render } = await import('platen') instead of require('platen')";
  throw Object.assign(new Error(message), { code });
}
