/*
 * One address serves two sides: paths below `developmentBase` belong to Vite, all others to the console. So a file of
 * an extension is never mistaken for one of the console.
 */

/** Vite's `base` while an extension is developed. */
export const developmentBase = '/@dev/'

/** Where an extension finds a module that it shares with the console: Vite's id of it, and below the base its path. */
export const sharedModulePath = (module: string) => `/shared/${module}.js`

/** The module that has React's development build: its id, and where browsers find it. */
export const developmentReact = '\0pult-development-react'
export const developmentReactPath = `${developmentBase}@id/__x00__${developmentReact.slice(1)}`
