import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('home', {
  title: 'Home',
  noProject: 'No project selected',
  noProjectText:
    'Apps, devices and tasks belong to a project. Create one, or ask its owner to add you to theirs.',
  createProject: 'Create project',
  privateProject: 'Private project',
  organizationProject: (label: string) => `Project of ${label}`,
  owner: 'You are the owner',
  apps: 'Apps',
  noAppsOwner: 'No apps confirgured yet.',
  noAppsOwnerText: 'Apps come with the products of a project. As soon as one is added, its apps stand here.',
  noAppsOthers: 'Für dieses Projekt sind keine Apps freigeschaltet.',
  noAppsOthersText: 'Wenden Sie sich an die Person, der das Projekt gehört: Sie kann Ihnen eine Rolle geben.',
})
