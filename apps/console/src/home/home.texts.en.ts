import type { texts } from './home.texts.ts'

export const en: typeof texts = {
  title: 'Home',
  noProject: 'No project selected',
  noProjectText:
    'Apps, devices and tasks belong to a project. Create one, or ask its owner to add you to theirs.',
  createProject: 'Create project',
  privateProject: 'Private project',
  organizationProject: (label: string) => `Project of ${label}`,
  owner: 'You are the owner',
  apps: 'Apps',
  noAppsOwner: 'No apps configured yet.',
  noAppsOwnerText: 'Apps come with the products of a project. As soon as one is added, its apps stand here.',
  noAppsOthers: 'No apps are enabled for this project.',
  noAppsOthersText: 'Ask the person who owns the project: they can give you a role.',
}
