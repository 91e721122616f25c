import { textsOf } from '#platform/locale.ts'

export const texts = textsOf({
  de: {
    noExtension: 'Its entry exports no extension',
    notRegistered: 'Its extension does not register it',
    missing: (name: string) => `An app was registered without ${name}`,
    registeredTwice: (id: string) => `The app ${id} was registered twice`,
    tookTooLong: 'Its code did not arrive in time',
    notFetched: 'Its code could not be loaded, or is not what was installed',
    accessDenied: 'Access denied',
    accessDeniedText: 'You lack the role that this needs. Ask the owner of the project for it.',
    noAccess: 'You cannot open this app',
    noAccessText: (id: string) => `There is no app ${id} for you in this project.`,
    loading: (label: string) => `${label} is loading`,
    failed: (label: string) => `${label} does not work`,
    retry: 'Retry',
    reload: 'Reload the page',
    tabs: (label: string) => `Parts of ${label}`,
    rootTitle: 'Root',
    rootDescription: 'What concerns the whole installation.',
    noRootApps: 'No root apps are installed.',
    noApp: 'Its module exports no app with pages',
    misnamed: (name: string, id: string) => `The name of the page ${name} does not begin with app-${id}`,
    noPage: 'There is no such page in this app',
    safeMode: 'Safe mode: extensions are off',
    safeModeEnd: 'Start with extensions',
  },
})
