import type { Plugin } from 'vite'

/*
 * What makes a component of an icon's lines: lucide's own can do more than any page asks of it (a context of defaults,
 * strokes that do not scale, other attribute names), which is a hundredth of the login.
 */
const maker = `
  import { createElement } from 'react'
  const drawing = {
    xmlns: 'http://www.w3.org/2000/svg',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: 2,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  }
  const isNamed = (name) => /^(aria-|role$|title$)/.test(name)
  export default ({ name, size: grid = 24, node, aliases = [] }) => ({ size = grid, className, children, ...rest }) =>
    createElement(
      'svg',
      {
        ...drawing,
        width: size,
        height: size,
        viewBox: '0 0 ' + grid + ' ' + grid,
        'aria-hidden': children || Object.keys(rest).some(isNamed) ? undefined : true,
        className: ['lucide', name, ...aliases].join(' lucide-') + (className ? ' ' + className : ''),
        ...rest,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
      children,
    )`

const id = '\0icon-maker'

/** Leaves it out, 1 kB of the login. Fails with a version of lucide that makes its icons in another way. */
export function slimIcons(): Plugin {
  let isFound = false
  return {
    name: 'slim-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId(asked, importer) {
      if (
        !asked.endsWith('/createLucideIcon.mjs') ||
        importer?.includes('/lucide-react/dist/esm/icons/') !== true
      )
        return null
      isFound = true
      return id
    },
    load: (asked) => (asked === id ? maker : null),
    buildEnd() {
      if (!isFound) this.error('lucide-react has no createLucideIcon.mjs where it had it before')
    },
  }
}
