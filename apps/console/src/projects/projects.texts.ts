import { textsOf } from '#platform/locale.ts'

const amount = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const texts = textsOf('projects', {
  title: 'Projects',
  description: 'Choose a project to work on.',
  /** The projects in organisations, and the private ones. */
  counts: (projects: number, organisations: number, own: number) =>
    projects === 0
      ? amount(own, 'private project', 'private projects')
      : [
          `${amount(projects, 'project', 'projects')} in ${amount(organisations, 'organisation', 'organisations')}`,
          ...(own > 0 ? [amount(own, 'private one', 'private ones')] : []),
        ].join(' and '),
  create: 'Create project',
  createTitle: 'Create project',
  createDescription: 'You become its owner. Its apps come with the products that you add.',
  search: 'Search projects',
  searching: 'Searching',
  sort: 'Order of the projects',
  sorts: { worst: 'Problems first', name: 'By name', recent: 'Recent activity first' },
  found: (count: number) => (count === 1 ? '1 project found' : `${count} projects found`),
  private: 'Private',
  active: 'Active',
  isDefault: 'Default',
  actions: (label: string) => `Actions for ${label}`,
  openInTab: 'Open in a new tab',
  makeDefault: 'Make default',
  setDefaultFailed: 'Changing the default project failed',
  loadingFailed: 'Your projects could not be loaded',
  more: 'Show more',
  waiting: (count: number) => `${count} new`,
  none: 'No projects yet',
  noneText: 'Apps, edges and tasks belong to a project. Create one, or ask a project owner for access.',
  nothingFound: 'No project found',
  nothingFoundText: 'Try fewer or different words.',
  searchAll: (search: string) => `Search all projects for “${search}”`,
  searchEverything: (search: string) => `Search everything for “${search}”`,
  createNamed: (label: string) => `Create project “${label}”`,
  label: 'Label',
  organization: 'Organisation',
  noOrganization: 'None (private)',
  organizationText: 'Its owner can also edit the project.',
  manyOrganizations: 'Find an organisation',
  organizationsFailed: 'Your organisations could not be loaded',
  products: 'Products',
  productsText: 'They bring the project’s apps. You can change them later.',
  productsFailed: 'The products could not be loaded. You can add them later.',
  save: 'Save',
  saving: 'Saving',
  savingFailed: 'Creating the project failed',
})
