import { openDocument } from './storage.ts'

let navigate = (href: string): void => openDocument(href)

/** Opens a page of the console from code outside the router, such as the windows and the palette. */
export const goTo = (href: string): void => navigate(href)

/** Sets the router's navigation. Before that, goTo loads documents. */
export function setNavigation(way: (href: string) => void): void {
  navigate = way
}
