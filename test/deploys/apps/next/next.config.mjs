export default {
  output: 'standalone',
  serverExternalPackages: ['platen'],
};
