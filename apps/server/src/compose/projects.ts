import type { FastifyInstance } from 'fastify'
import { createEmailConfirmationAction } from '../account/emails/email-confirmation.action.ts'
import { addAuditRoutes } from '../audit/audit.routes.ts'
import { createOtpRecoveryAction } from '../auth/recovery/otp-recovery.action.ts'
import { createPasswordResetAction } from '../auth/recovery/password-reset.action.ts'
import { createAppOpeners } from '../extensions/app-openers.ts'
import { addBackendRoutes } from '../extensions/backends/backend.routes.ts'
import { createForwarder } from '../extensions/backends/forwarder.ts'
import { createIdentityService } from '../extensions/backends/identity.service.ts'
import { sweepIdentityKeys } from '../extensions/backends/identity-key.repository.ts'
import { addExtensionFileRoutes } from '../extensions/extension-files.routes.ts'
import { addExtensionFailureRoutes } from '../extensions/failures/extension-failures.routes.ts'
import { createExtensionFailures } from '../extensions/failures/extension-failures.ts'
import { createReadFragments } from '../extensions/fragments.ts'
import { addProbeRoutes } from '../extensions/probe.routes.ts'
import { addRootExtensionRoutes } from '../extensions/root-extensions.routes.ts'
import { addExtensionSettingsRoutes } from '../extensions/settings/extension-settings.routes.ts'
import { createExtensionSettingsService } from '../extensions/settings/extension-settings.service.ts'
import { addStoreRoutes } from '../extensions/store/store.routes.ts'
import { createStoreService } from '../extensions/store/store.service.ts'
import { createInvitationAction } from '../invitations/invitation.action.ts'
import { createInvitationService } from '../invitations/invitation.service.ts'
import { createTargetInvitations } from '../invitations/target-invitations.ts'
import { announceOrganisations } from '../organisations/announcements.ts'
import { addOrganisationRoutes } from '../organisations/organisation.routes.ts'
import { createOrganisationService } from '../organisations/organisation.service.ts'
import { addAccountRoutes } from '../people/administration/account.routes.ts'
import { createAccountService } from '../people/administration/account.service.ts'
import { sweepAccessRequests } from '../projects/access-requests/access-request.repository.ts'
import { addAccessRequestRoutes } from '../projects/access-requests/access-request.routes.ts'
import { createAccessRequestService } from '../projects/access-requests/access-request.service.ts'
import { announceAccess, announceProjects, announceProjectsOf } from '../projects/announcements.ts'
import { createAppRole } from '../projects/app-role.ts'
import { createGrantService } from '../projects/grants/grant.service.ts'
import { createNoteRepository, sweepRemovedNotes } from '../projects/notes/note.repository.ts'
import { addNoteRoutes } from '../projects/notes/note.routes.ts'
import { addProjectRoutes } from '../projects/project.routes.ts'
import { createProjectService } from '../projects/project.service.ts'
import { addStartRoutes } from '../start/start.routes.ts'
import { sweepTokenLinks } from '../token-links/token-link.repository.ts'
import { addTokenLinkRoutes } from '../token-links/token-link.routes.ts'
import { createTokenLinkService } from '../token-links/token-link.service.ts'
import type { Foundation } from './foundation.ts'
import type { Identity } from './identity.ts'

/** Organisations, projects and grants, invitations to them, and the extensions that projects use. */
export type Projects = ReturnType<typeof composeProjects>

export function composeProjects(http: FastifyInstance, foundation: Foundation, identity: Identity) {
  const {
    config,
    db,
    events,
    secrets,
    people,
    mailer,
    audit,
    products,
    extensions,
    settings,
    installation,
    issueLink,
    publicUrl,
  } = foundation
  const { attempts, hashes, sessions, revoke, notices, noticeLock, otp, ownSessions } = identity
  const invitations = createInvitationService({ db, audit, mailer, issueLink })
  const targetInvitations = createTargetInvitations({
    db,
    audit,
    attempts,
    mailer,
    issueLink,
    languageOf: settings.chosenLanguageOf,
    hasMailServer: config.smtpUrl !== undefined,
  })
  const organisations = createOrganisationService({
    db,
    events,
    audit,
    people,
    mostPerPerson: config.organisationsPerPerson,
    announceProjectsOf,
  })
  const projects = createProjectService({
    db,
    events,
    audit,
    people,
    products,
    mostPerPerson: config.projectsPerPerson,
  })
  const appOpeners = createAppOpeners({ db, products, readersOf: projects.readersOf })
  const accessRequests = createAccessRequestService({
    db,
    events,
    audit,
    attempts,
    mailer,
    people,
    projects,
    products,
    publicUrl,
  })
  const grants = createGrantService({ db, events, audit, people, products, projects, accessRequests })
  const accounts = createAccountService({
    db,
    events,
    audit,
    people,
    attempts,
    sessions,
    notices,
    revoke,
    announceAccess,
    announceProjects,
    announceOrganisations,
  })
  const tokenLinks = createTokenLinkService({
    db,
    events,
    audit,
    attempts,
    actions: {
      'invite:registration': createInvitationAction({
        audit,
        people,
        installation,
        hashes,
        sessions,
        organisations,
        grants,
        announceAccess,
      }),
      'user:reset-password': createPasswordResetAction({ audit, people, hashes, notices, revoke }),
      'user:otp-recovery': createOtpRecoveryAction({
        audit,
        people,
        attempts,
        otp,
        notices,
        noticeLock,
        revoke,
      }),
      'user:email-confirmation': createEmailConfirmationAction({ db, audit, people }),
    },
  })
  const findProject = projects.read
  const noteRole = createAppRole('project-details:notes', { db, projects, products })

  addTokenLinkRoutes(http, tokenLinks)
  addAccountRoutes(http, { accounts, ownSessions, otp, invitations: targetInvitations })
  addOrganisationRoutes(http, { organisations, invitations: targetInvitations })
  addProjectRoutes(http, {
    projects,
    grants,
    invitations: targetInvitations,
    organisations,
    people,
    products,
  })
  const readFragments = createReadFragments(extensions)
  addProbeRoutes(http, { readFragments, findProject })
  addExtensionFailureRoutes(http, { extensions, failures: createExtensionFailures(db) })
  addStartRoutes(http, { projects, settings, readFragments })
  addExtensionFileRoutes(http, extensions)
  addRootExtensionRoutes(http, extensions)
  addStoreRoutes(http, { store: createStoreService({ db, events }), products, findProject })
  const extensionSettings = createExtensionSettingsService({ db, events, audit, secrets })
  addExtensionSettingsRoutes(http, {
    settings: extensionSettings,
    extensions,
    products,
    projects,
    settingsRole: createAppRole('project-details:settings', { db, projects, products }).permission,
  })
  addBackendRoutes(http, {
    readSettings: (manifest, of) => extensionSettings.valuesFor(manifest, of, { withSecrets: true }),
    extensions,
    products,
    findProject,
    identity: createIdentityService({ db, secrets, publicUrl }),
    forwarder: createForwarder(),
  })
  addAccessRequestRoutes(http, accessRequests)
  addAuditRoutes(http, { audit, ownedProject: projects.checkOwned })
  addNoteRoutes(http, { db, events, audit, allow: noteRole.permission })

  return {
    invitations,
    targetInvitations,
    organisations,
    projects,
    accessRequests,
    appOpeners,
    grants,
    noteRole,
    requireFirstRootLink: tokenLinks.requireFirstRootLink,
    countNotes: async (of: { projectId: string; personId: string }) =>
      (await createNoteRepository(db, of).list({ limit: '1' })).total,
    sweeps: [sweepTokenLinks, sweepIdentityKeys, sweepAccessRequests],
    frequentSweeps: [sweepRemovedNotes],
  }
}
