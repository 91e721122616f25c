/*
 * Vite and the console share one address. Paths below `developmentBase` belong to Vite, all others to the console. So a
 * file of an extension cannot be mistaken for a file of the console.
 */

/** Vite's `base` in development. */
export const developmentBase = '/@dev/'

/** Returns Vite's id of a module that the console shares, which is also its path below the base. */
export const sharedModulePath = (module: string) => `/shared/${module}.js`

/** Id of the module with React's development build, and its path in the browser. */
export const developmentReact = '\0pult-development-react'
export const developmentReactPath = `${developmentBase}@id/__x00__${developmentReact.slice(1)}`
