import type { Migration } from 'kysely/migration'
import * as people from './0001-people.ts'
import * as projects from './0002-projects.ts'
import * as events from './0003-events.ts'
import * as account from './0004-account.ts'
import * as organisations from './0005-organisations.ts'
import * as extensions from './0006-extensions.ts'
import * as listIndexes from './0007-list-indexes.ts'
import * as tasks from './0008-tasks.ts'
import * as files from './0009-files.ts'
import * as media from './0010-media.ts'
import * as settings from './0011-settings.ts'
import * as edges from './0012-edges.ts'
import * as edgeConnections from './0013-edge-connections.ts'
import * as taskLists from './0014-task-lists.ts'
import * as taskRetries from './0015-task-retries.ts'
import * as idempotencyHash from './0016-idempotency-hash.ts'
import * as unverifiedSignIn from './0017-unverified-sign-in.ts'
import * as knownDevices from './0018-known-devices.ts'
import * as sessionDevices from './0019-session-devices.ts'
import * as taskTokenEnds from './0020-task-token-ends.ts'
import * as search from './0021-search.ts'
import * as taskSearch from './0022-task-search.ts'
import * as condition from './0023-condition.ts'
import * as troubles from './0024-troubles.ts'
import * as installationLanguage from './0025-installation-language.ts'
import * as find from './0026-find.ts'
import * as fileStore from './0027-file-store.ts'
import * as extensionSettings from './0028-extension-settings.ts'
import * as removedRecords from './0029-removed-records.ts'
import * as retention from './0030-retention.ts'
import * as accessRequests from './0031-access-requests.ts'
import * as nodeFindings from './0032-node-findings.ts'
import * as taskRepeats from './0033-task-repeats.ts'
import * as backupRuns from './0034-backup-runs.ts'
import * as listOrders from './0035-list-orders.ts'
import * as edgeReleaseKeys from './0036-edge-release-keys.ts'
import * as refusedMails from './0037-refused-mails.ts'
import * as taskArchivings from './0038-task-archivings.ts'
import * as edgeValues from './0039-edge-values.ts'
import * as edgeUpdates from './0040-edge-updates.ts'
import * as edgeTags from './0041-edge-tags.ts'
import * as edgeGroups from './0042-edge-groups.ts'
import * as edgePolicyRevisions from './0043-edge-policy-revisions.ts'
import * as edgeJobs from './0044-edge-jobs.ts'
import * as edgeJoining from './0045-edge-joining.ts'
import * as edgeDeckKeys from './0049-edge-deck-keys.ts'
import * as edgeSchedules from './0050-edge-schedules.ts'
import * as taskMessages from './0051-task-messages.ts'
import * as backendHttp from './0052-backend-http.ts'
import * as knownDeviceSecrets from './0053-known-device-secrets.ts'
import * as normalisedTexts from './0054-normalised-texts.ts'
import * as bytewiseOrders from './0055-bytewise-orders.ts'
import * as nodeProblems from './0056-node-problems.ts'
import * as multipartUploads from './0057-multipart-uploads.ts'
import * as mediaNotes from './0058-media-notes.ts'
import * as silentEdges from './0059-silent-edges.ts'
import * as usedSpace from './0060-used-space.ts'
import * as edgeJobAcknowledgements from './0062-edge-job-acknowledgements.ts'
import * as edgeDeckAgreements from './0063-edge-deck-agreements.ts'
import * as extensionRights from './0064-extension-rights.ts'
import * as placeMarks from './0065-place-marks.ts'
import * as clocks from './0066-clocks.ts'
import * as restoredCopies from './0067-restored-copies.ts'
import * as migratedBy from './0068-migrated-by.ts'
import * as edgeTokens from './0069-edge-tokens.ts'
import * as nameOrder from './0070-name-order.ts'
import * as extensionFailures from './0071-extension-failures.ts'
import * as foldedSearches from './0072-folded-searches.ts'
import * as databaseId from './0073-database-id.ts'
import * as usedOtpSteps from './0074-used-otp-steps.ts'
import * as updateOrders from './0075-update-orders.ts'

/** Ordered by name. A landed migration is never edited except for its comments; a later one corrects it. */
export const migrations: Record<string, Migration> = {
  '0001-people': people,
  '0002-projects': projects,
  '0003-events': events,
  '0004-account': account,
  '0005-organisations': organisations,
  '0006-extensions': extensions,
  '0007-list-indexes': listIndexes,
  '0008-tasks': tasks,
  '0009-files': files,
  '0010-media': media,
  '0011-settings': settings,
  '0012-edges': edges,
  '0013-edge-connections': edgeConnections,
  '0014-task-lists': taskLists,
  '0015-task-retries': taskRetries,
  '0016-idempotency-hash': idempotencyHash,
  '0017-unverified-sign-in': unverifiedSignIn,
  '0018-known-devices': knownDevices,
  '0019-session-devices': sessionDevices,
  '0020-task-token-ends': taskTokenEnds,
  '0021-search': search,
  '0022-task-search': taskSearch,
  '0023-condition': condition,
  '0024-troubles': troubles,
  '0025-installation-language': installationLanguage,
  '0026-find': find,
  '0027-file-store': fileStore,
  '0028-extension-settings': extensionSettings,
  '0029-removed-records': removedRecords,
  '0030-retention': retention,
  '0031-access-requests': accessRequests,
  '0032-node-findings': nodeFindings,
  '0033-task-repeats': taskRepeats,
  '0034-backup-runs': backupRuns,
  '0035-list-orders': listOrders,
  '0036-edge-release-keys': edgeReleaseKeys,
  '0037-refused-mails': refusedMails,
  '0038-task-archivings': taskArchivings,
  '0039-edge-values': edgeValues,
  '0040-edge-updates': edgeUpdates,
  '0041-edge-tags': edgeTags,
  '0042-edge-groups': edgeGroups,
  '0043-edge-policy-revisions': edgePolicyRevisions,
  '0044-edge-jobs': edgeJobs,
  '0045-edge-joining': edgeJoining,
  '0049-edge-deck-keys': edgeDeckKeys,
  '0050-edge-schedules': edgeSchedules,
  '0051-task-messages': taskMessages,
  '0052-backend-http': backendHttp,
  '0053-known-device-secrets': knownDeviceSecrets,
  '0054-normalised-texts': normalisedTexts,
  '0055-bytewise-orders': bytewiseOrders,
  '0056-node-problems': nodeProblems,
  '0057-multipart-uploads': multipartUploads,
  '0058-media-notes': mediaNotes,
  '0059-silent-edges': silentEdges,
  '0060-used-space': usedSpace,
  '0062-edge-job-acknowledgements': edgeJobAcknowledgements,
  '0063-edge-deck-agreements': edgeDeckAgreements,
  '0064-extension-rights': extensionRights,
  '0065-place-marks': placeMarks,
  '0066-clocks': clocks,
  '0067-restored-copies': restoredCopies,
  '0068-migrated-by': migratedBy,
  '0069-edge-tokens': edgeTokens,
  '0070-name-order': nameOrder,
  '0071-extension-failures': extensionFailures,
  '0072-folded-searches': foldedSearches,
  '0073-database-id': databaseId,
  '0074-used-otp-steps': usedOtpSteps,
  '0075-update-orders': updateOrders,
}
