import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('home', {
  noProject: 'No project selected',
  noProjectText: 'Apps, edges and tasks belong to a project. Create one, or ask a project owner for access.',
  goodMorning: (name: string) => `Good morning, ${name}`,
  goodAfternoon: (name: string) => `Good afternoon, ${name}`,
  goodEvening: (name: string) => `Good evening, ${name}`,
  stepsLeft: 'This installation is yours. The remaining steps can wait.',
  createProject: 'Create project',
  privateProject: 'Private project',
  organizationProject: (label: string) => `Project of ${label}`,
  apps: 'Apps',
  noAppsOwner: 'No apps confirgured yet.',
  noAppsOwnerText: 'Apps belong to the project’s products. Add a product to see its apps here.',
  noAppsOthers: 'Für dieses Projekt sind keine Apps freigeschaltet.',
})
