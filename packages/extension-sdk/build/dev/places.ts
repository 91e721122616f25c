/*
 * One address has two sides: what lies below `developmentBase` is Vite's, everything else is the console's. So no file of
 * an extension is ever taken for one of the console, whatever it is called.
 */

/** Vite's `base` while an extension is developed. */
export const developmentBase = '/@dev/'

/** Where an extension finds a module that it shares with the console: Vite's id of it, and below the base its path. */
export const sharedModulePath = (module: string) => `/shared/${module}.js`

/** The module that has React's development build: its id, and where browsers find it. */
export const developmentReact = '\0pult-development-react'
export const developmentReactPath = `${developmentBase}@id/__x00__${developmentReact.slice(1)}`
