import { defineApp } from '@pult/sdk'
import { noteRoutes } from './notes/note-routes.ts'
import { OverviewTab } from './OverviewTab.tsx'

export default defineApp({
  routes: [{ name: 'app-project-details-overview', path: 'overview', Component: OverviewTab }, ...noteRoutes],
})
