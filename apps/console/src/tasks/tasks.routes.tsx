import type { RouteObject } from 'react-router'

/** The page of a person's tasks. It comes with the first visit to it. */
export const tasksRoute: RouteObject = {
  path: '/tasks',
  lazy: { Component: async () => (await import('./TasksPage.tsx')).TasksPage },
  hydrateFallbackElement: <></>,
}
