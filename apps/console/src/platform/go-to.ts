let navigate = (href: string): void => location.assign(href)

/** What has no router around it, the windows and the palette among others, goes to a page of the console by this. */
export const goTo = (href: string): void => navigate(href)

/** The console's router is there: from now on no document is loaded. */
export function setNavigation(way: (href: string) => void): void {
  navigate = way
}
