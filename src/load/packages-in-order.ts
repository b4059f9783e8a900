import type { Plugin } from 'esbuild'

/** Namespace of a file that stands for a package and loads it where it is imported. */
export const IN_ORDER = 'stepfork-package'
const LOAD = 'stepfork-load'
const TAKE = 'stepfork-take'

/** For the banner: keeps what was loaded, and shows it as a CommonJS module whose names are live. */
export const IN_ORDER_BANNER = [
  'const __stepfork_loaded={},__stepfork_take=name=>{',
  'const from=__stepfork_loaded[name],to=Object.defineProperty({},"__esModule",{value:true});',
  'for(const key of Object.keys(from))Object.defineProperty(to,key,{enumerable:true,get:()=>from[key]});',
  'return to};',
].join('')

/**
 * Loads a package in its place among the agent's own files, by an `await import` at the top level. Which names are
 * wanted from it is not known here, so they are handed on as those of a CommonJS module, which esbuild looks up at run
 * time. The price: a name that the package does not have is undefined, and no error of linking.
 */
export function packagesInOrder(): Plugin {
  return {
    name: 'stepfork-in-order',
    setup(build) {
      build.onResolve({ filter: /^stepfork-(load|take):/ }, ({ path }) => {
        const [, namespace, name] = /^([\w-]+):(.*)$/.exec(path)!
        return { path: name!, namespace: namespace! }
      })
      build.onResolve({ filter: /.*/, namespace: LOAD }, ({ path }) => ({ path, external: true }))
      build.onLoad({ filter: /.*/, namespace: IN_ORDER }, ({ path }) => ({ contents: standIn(path) }))
      build.onLoad({ filter: /.*/, namespace: LOAD }, ({ path }) => {
        const name = JSON.stringify(path)
        return { contents: `__stepfork_loaded[${name}] = await import(${name})` }
      })
      build.onLoad({ filter: /.*/, namespace: TAKE }, ({ path }) => ({
        contents: `module.exports = __stepfork_take(${JSON.stringify(path)})`,
      }))
    },
  }
}

function standIn(path: string): string {
  const take = JSON.stringify(`${TAKE}:${path}`)
  return `import ${JSON.stringify(`${LOAD}:${path}`)}\nexport * from ${take}\nexport { default } from ${take}`
}
