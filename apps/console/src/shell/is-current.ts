/** Whether a place of the navigation is where one is: its page or one below it. */
export function isCurrent(place: string, pathname: string): boolean {
  return pathname === place || pathname.startsWith(`${place}/`)
}
