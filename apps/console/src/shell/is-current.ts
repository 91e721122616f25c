/** Returns whether the current page is a destination of the navigation or below it. Home has no pages below it. */
export function isCurrent(place: string, pathname: string): boolean {
  return pathname === place || (place !== '/' && pathname.startsWith(`${place}/`))
}
