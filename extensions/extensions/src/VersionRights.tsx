import type { ExtensionVersion } from '@pult/sdk/api/root'
import styles from './extensions.module.css'
import { texts } from './extensions.texts.ts'

type Role = ExtensionVersion['roles'][number]

interface VersionRightsProps {
  version: Pick<ExtensionVersion, 'roles' | 'added' | 'removed' | 'needsConsent'>
}

/** What root allows by enabling a version: the rights of its roles, and the differences from the allowed version. */
export function VersionRights({ version: { roles, added, removed, needsConsent } }: VersionRightsProps) {
  const parts = [...partsOf(added, texts.newParts), ...partsOf(removed, texts.goneParts)]
  return (
    <>
      {roles.length > 0 && <p>{texts.rolesGive}</p>}
      <ul className={styles.rights}>
        {roles.map((role) => (
          <li key={role.id}>
            <b>{role.label}</b>: {rightsOf(role)}
          </li>
        ))}
        {parts.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
      {needsConsent && <p>{texts.consentText}</p>}
    </>
  )
}

/** Returns the rights of a role as text: `reports, edges:manage (new, of another extension)`. */
export function rightsOf({ roles, foreign, added, removed }: Role): string {
  const entries = roles.map((entry) => {
    const marks = [
      ...(added.includes(entry) ? [texts.isNew] : []),
      ...(foreign.includes(entry) ? [texts.isForeign] : []),
    ]
    return marks.length === 0 ? entry : `${entry} (${marks.join(', ')})`
  })
  return [...entries, ...removed.map((entry) => `${entry} (${texts.isGone})`)].join(', ') || texts.nothing
}

function partsOf(parts: ExtensionVersion['added'], words: typeof texts.newParts): string[] {
  return (['products', 'apps', 'settings', 'tasks', 'services'] as const).flatMap((kind) =>
    parts[kind].length === 0 ? [] : [`${words[kind]}: ${parts[kind].join(', ')}`],
  )
}
