import * as contract from '@pult/contract'

/** Calls of one object of the contract: `emails.setDefault` is `emailEndpoints.setDefault`. */
interface ApiGroup {
  /** The first part of each operation id, and the name of the tag. */
  name: string
  /** One sentence for the API reference. */
  description: string
  endpoints: Readonly<Record<string, contract.Endpoint>>
}

const group = (name: string, endpoints: ApiGroup['endpoints'], description: string): ApiGroup => ({
  name,
  description,
  endpoints,
})

/** Every `…Endpoints` object of the contract, in the order of the API reference. */
export const apiGroups: readonly ApiGroup[] = [
  group('system', contract.systemEndpoints, 'The running build, its health and its metrics.'),
  group('setup', contract.setupEndpoints, 'The set-up of a new installation.'),
  group('start', contract.startEndpoints, 'All that the console reads when it starts, in one call.'),
  group('login', contract.loginEndpoints, 'Sign-in with a password and, if enabled, a one-time password.'),
  group('passkeyLogin', contract.passkeyLoginEndpoints, 'Sign-in with a passkey.'),
  group('recovery', contract.recoveryEndpoints, 'Links for a lost password or a lost authenticator.'),
  group('session', contract.sessionEndpoints, 'The session of the caller: its renewal and its end.'),
  group('confirm', contract.confirmEndpoints, 'Step-up authentication before a sensitive action.'),
  group('tokenLinks', contract.tokenLinkEndpoints, 'Links from mails: what they do, and their redemption.'),
  group('me', contract.meEndpoints, 'The account of the caller.'),
  group('profile', contract.profileEndpoints, 'The name of the caller.'),
  group('emails', contract.emailEndpoints, 'The e-mail addresses of the caller.'),
  group('password', contract.passwordEndpoints, 'The password of the caller.'),
  group('passkeys', contract.passkeyEndpoints, 'The passkeys of the caller.'),
  group('otp', contract.otpEndpoints, 'The authenticator and the recovery codes of the caller.'),
  group('ownSessions', contract.ownSessionEndpoints, 'The sessions and the recent sign-ins of the caller.'),
  group('settings', contract.settingsEndpoints, 'The settings of the caller.'),
  group('streamDecks', contract.streamDeckEndpoints, 'The Stream Decks of the caller and their keys.'),
  group('organisations', contract.organisationEndpoints, 'Organisations, their members and invitations.'),
  group('projects', contract.projectEndpoints, 'Projects, their grants and invitations.'),
  group('projectTasks', contract.projectTaskEndpoints, 'Exports, imports and invitation lists, as tasks.'),
  group('accessRequests', contract.accessRequestEndpoints, 'Requests for a role in a project.'),
  group('home', contract.homeEndpoints, 'The home page of a project.'),
  group('overview', contract.overviewEndpoints, 'The state of all projects of the caller.'),
  group('find', contract.findEndpoints, 'Search through all records that the caller may see.'),
  group('products', contract.productEndpoints, 'The products that projects can have, and their roles.'),
  group('notes', contract.noteEndpoints, 'Notes of a project.'),
  group('files', contract.fileEndpoints, 'Files: upload, content and signed links.'),
  group('media', contract.mediaEndpoints, 'Pictures, sounds and videos of a project.'),
  group('tasks', contract.taskEndpoints, 'Background tasks, for users.'),
  group('taskDriver', contract.taskDriverEndpoints, 'Background tasks, for the services that execute them.'),
  group('taskTokens', contract.taskTokenEndpoints, 'The tokens of services that execute tasks.'),
  group('edges', contract.edgeEndpoints, 'Edges of a project, their programs and decks.'),
  group('edgeEnrolment', contract.edgeEnrolmentEndpoints, 'The agent of edges and its enrolment.'),
  group('edgeKeys', contract.edgeKeyEndpoints, 'Keys with which many edges join a project.'),
  group('edgeRequests', contract.edgeRequestEndpoints, 'Edges that wait for their admission to a project.'),
  group('edgeGroups', contract.edgeGroupEndpoints, 'Groups of edges.'),
  group('edgeTags', contract.edgeTagEndpoints, 'The tags of edges.'),
  group('edgeInstances', contract.edgeInstanceEndpoints, 'All programs of the edges of a project.'),
  group('edgePrograms', contract.edgeProgramEndpoints, 'Start, stop and logs of a program at an edge.'),
  group('edgeJobs', contract.edgeJobEndpoints, 'Commands for many edges.'),
  group('edgeSchedules', contract.edgeScheduleEndpoints, 'Schedules that start jobs.'),
  group('edgeUpdates', contract.edgeUpdateEndpoints, 'The policy for updates of the agents.'),
  group('edgeDecks', contract.edgeDeckEndpoints, 'The keys of a Stream Deck at an edge.'),
  group('ownEdgeDecks', contract.ownEdgeDeckEndpoints, 'Stream Decks at edges that act for the caller.'),
  group('edgeEvents', contract.edgeEventEndpoints, 'The history of an edge.'),
  group('edgeValues', contract.edgeValueEndpoints, 'Measured values of edges over time.'),
  group('extensions', contract.extensionEndpoints, 'The extensions that the console loads.'),
  group('extensionFailures', contract.extensionFailureEndpoints, 'Failures of extensions in browsers.'),
  group('store', contract.storeEndpoints, 'Records of an extension in a project.'),
  group('extensionSettings', contract.extensionSettingsEndpoints, 'Settings of extensions in a project.'),
  group(
    'ownExtensionSettings',
    contract.ownExtensionSettingsEndpoints,
    'Settings of extensions of the caller.',
  ),
  group('backend', contract.backendEndpoints, 'The keys for the back ends of extensions.'),
  group('audit', contract.auditEndpoints, 'The audit log of the installation and of a project.'),
  group('rootPeople', contract.rootPeopleEndpoints, 'All accounts and invitations, for root.'),
  group('rootSessions', contract.rootSessionEndpoints, 'The sessions of an account, for root.'),
  group('rootGrants', contract.rootGrantEndpoints, 'Grants in all projects, for root.'),
  group('rootExtensions', contract.rootExtensionEndpoints, 'The installed extensions, for root.'),
  group(
    'rootExtensionSettings',
    contract.rootExtensionSettingsEndpoints,
    'Settings of extensions, for root.',
  ),
  group(
    'rootFirstSteps',
    contract.rootFirstStepsEndpoints,
    'The first steps of a new installation, for root.',
  ),
  group('condition', contract.conditionEndpoints, 'The condition of the installation, for root.'),
  group('backups', contract.backupEndpoints, 'Backups of the installation, for root.'),
  group('retention', contract.retentionEndpoints, 'Retention of records, for root.'),
]
