import { defineApp } from '@pult/sdk'
import { OverviewTab } from './OverviewTab.tsx'

export default defineApp({
  routes: [{ name: 'app-project-details-overview', path: 'overview', Component: OverviewTab }],
})
