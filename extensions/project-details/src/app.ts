import { defineApp } from '@pult/sdk'
import { AccessPage } from './access/AccessPage.tsx'
import { noteRoutes } from './notes/note-routes.ts'
import { OverviewTab } from './overview/OverviewTab.tsx'
import { PeopleTab } from './people/PeopleTab.tsx'
import { SettingsTab } from './settings/SettingsTab.tsx'
import { TokensTab } from './tokens/TokensTab.tsx'

export default defineApp({
  hosts: 'project',
  routes: [
    { name: 'app-project-details-overview', path: 'overview', Component: OverviewTab },
    { name: 'app-project-details-people', path: 'people', Component: PeopleTab },
    { name: 'app-project-details-access', path: 'people/:personId', Component: AccessPage },
    ...noteRoutes,
    { name: 'app-project-details-settings', path: 'settings', Component: SettingsTab },
    { name: 'app-project-details-tokens', path: 'tokens', Component: TokensTab },
  ],
})
