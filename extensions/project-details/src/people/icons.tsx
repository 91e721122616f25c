/** Send again. */
export function SendIcon() {
  return (
    <svg viewBox="0 0 24 24" {...outline}>
      <path d="M21.5 2.5 14.5 21.5 10.6 13.4 2.5 9.5zM21.5 2.5 10.6 13.4" />
    </svg>
  )
}

/** Take away. */
export function RemoveIcon() {
  return (
    <svg viewBox="0 0 24 24" {...outline}>
      <path d="M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2M10 11v6M14 11v6" />
    </svg>
  )
}

/** As the console's own icons. */
const outline = {
  width: 24,
  height: 24,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const
