import HtmlPlugin from 'html-webpack-plugin';

export default {
  mode: 'production',
  entry: './main.js',
  output: { filename: '[name].[contenthash].js' },
  plugins: [new HtmlPlugin({ template: './index.html' })],
};
