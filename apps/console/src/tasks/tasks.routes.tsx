import type { RouteObject } from 'react-router'

/** The page of the user's tasks. It loads on its first visit. */
export const tasksRoute: RouteObject = {
  path: '/tasks',
  lazy: { Component: async () => (await import('./TasksPage.tsx')).TasksPage },
  hydrateFallbackElement: <></>,
}
