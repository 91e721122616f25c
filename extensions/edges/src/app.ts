import { defineApp, redirectTo } from '@pult/sdk'
import { EdgePage } from './EdgePage.tsx'
import { EdgesPage, EnrolPage } from './EdgesPage.tsx'
import { JobPage } from './jobs/JobPage.tsx'
import { JobsPage } from './jobs/JobsPage.tsx'
import { KeysPage } from './joining/KeysPage.tsx'
import { SchedulesPage } from './schedules/SchedulesPage.tsx'

export default defineApp({
  routes: [
    { name: 'app-edges', path: '', Component: EdgesPage },
    { name: 'app-edges-create', path: 'create', Component: EnrolPage },
    { name: 'app-edges-edge', path: 'edit/:edgeId', Component: EdgePage },
    { name: 'app-edges-jobs', path: 'jobs', Component: JobsPage },
    { name: 'app-edges-job', path: 'jobs/:jobId', Component: JobPage },
    { name: 'app-edges-keys', path: 'keys', Component: KeysPage },
    { name: 'app-edges-schedules', path: 'schedules', Component: SchedulesPage },
    {
      name: 'app-edges-old-edge',
      path: ':edgeId',
      Component: redirectTo(({ edgeId }) => `edit/${edgeId}`),
    },
  ],
})
