import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) =>
    registerApp({
      id: 'edges',
      loader: () => import('./app.ts'),
      navigation: () => import('./navigation.ts'),
      actions: {
        add: () => import('./actions/add.ts'),
        restart: () => import('./actions/restart.ts'),
        diagnose: () => import('./actions/diagnose.ts'),
        'restart-program': () => import('./actions/restart-program.ts'),
      },
    }),
})
