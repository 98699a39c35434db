// The type of `platen/wasm/*.wasm`, where a bundler or an edge runtime compiles the files.
declare const module: WebAssembly.Module;
export default module;
