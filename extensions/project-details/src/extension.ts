import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) =>
    registerApp({
      id: 'project-details',
      loader: () => import('./app.ts'),
      actions: {
        invite: () => import('./actions/invite.ts'),
        'new-note': () => import('./actions/new-note.ts'),
      },
    }),
})
