import type { Condition } from '@pult/contract'
import type { Sentence } from '#platform/language.ts'
import { isAhead } from './backup-folder.ts'
import type { FoundBackups } from './read-backups.ts'

type Level = Condition['checks'][number]['level']
type Add = (id: string, level: Level, what: Sentence, fix: Sentence) => void

const hour = 3_600_000
const day = 24 * hour

/** Milliseconds after which the newest backup is too old. A scheduled backup may be a day late, or two hours. */
const oldAfter = { hourly: 3 * hour, daily: 2 * day, weekly: 8 * day, off: 8 * day }

/** Days after which a restore must be proven again. */
const provenFor = 8

/** Archives that may wait for their deletion by the next backup. */
const surplusMost = 2

/** Adds a check for each problem of the backups. */
export function checkBackups(backups: FoundBackups, add: Add): void {
  const { now, place, hasKey, schedule, drill, failure, drillFailure, trouble, archives, provenAt } = backups
  const { unreadable = [], running, surplus = 0 } = backups
  if (place === null || !hasKey) {
    add(
      'backup.none',
      'warning',
      {
        de: 'Backups are not set up, and the secret of the installation is saved nowhere',
        'de-DE':
          'Sicherungen sind nicht eingerichtet, und das Geheimnis der Installation ist nirgends gesichert',
      },
      {
        de: 'Print the emergency sheet and set BACKUP_FOLDER and BACKUP_RECIPIENT: see docs/operations/backup.md',
        'de-DE':
          'Drucken Sie das Notfallblatt, und setzen Sie BACKUP_FOLDER und BACKUP_RECIPIENT: siehe docs/operations/backup.md',
      },
    )
    return
  }
  if (trouble !== null) {
    add(
      'backup.place',
      'danger',
      {
        de: `The backups cannot be read: ${trouble}`,
        'de-DE': `Die Sicherungen sind nicht lesbar: ${trouble}`,
      },
      {
        de: `Check that ${place} is mounted, reachable and writable`,
        'de-DE': `Prüfen Sie, ob ${place} eingehängt, erreichbar und beschreibbar ist`,
      },
    )
    return
  }
  if (failure !== null) {
    add(
      'backup.failed',
      'danger',
      {
        de: `The last backup failed: ${failure.reason}`,
        'de-DE': `Die letzte Sicherung ist fehlgeschlagen: ${failure.reason}`,
      },
      {
        de: 'Remove the cause, then make a backup on the Root page',
        'de-DE': 'Beheben Sie die Ursache, und starten Sie auf der Seite Root eine Sicherung',
      },
    )
  }
  if (unreadable.length > 0) {
    const names = unreadable.join(', ')
    add(
      'backup.unreadable',
      'danger',
      {
        de: `These archives cannot be read: ${names}`,
        'de-DE': `Diese Archive sind nicht lesbar: ${names}`,
      },
      {
        de: `Give all files in ${place} to the user of the server`,
        'de-DE': `Geben Sie alle Dateien in ${place} dem Benutzer des Servers`,
      },
    )
  }
  const ahead = archives.filter(({ createdAt }) => isAhead(new Date(createdAt), now))
  if (ahead.length > 0) {
    const names = ahead.map(({ name, createdAt }) => `${name} (${createdAt.slice(0, 10)})`).join(', ')
    add(
      'backup.ahead',
      'warning',
      {
        de: `The clock was wrong when these archives of the future were made: ${names}`,
        'de-DE': `Die Uhr ging falsch, als diese Archive aus der Zukunft entstanden: ${names}`,
      },
      {
        de: 'Check that NTP sets the clock. Pult keeps these archives and makes backups as if they did not exist',
        'de-DE':
          'Prüfen Sie, dass NTP die Uhr stellt. Pult behält diese Archive und sichert so, als gäbe es sie nicht',
      },
    )
  }
  if (surplus > surplusMost)
    add(
      'backup.surplus',
      'warning',
      {
        de: `${surplus} archives are older than the settings keep, and were not deleted`,
        'de-DE': `${surplus} Archive sind älter, als die Einstellungen sie behalten, und wurden nicht gelöscht`,
      },
      {
        de: 'The log names the reason: the key may not delete in this bucket, or it has a retention',
        'de-DE':
          'Das Serverprotokoll nennt den Grund: Der Schlüssel darf im Bucket nicht löschen, oder dieser hat eine Aufbewahrung',
      },
    )
  const newest = archives.find((archive) => !ahead.includes(archive))
  const age = newest === undefined ? Infinity : now - Date.parse(newest.createdAt)
  if (age >= oldAfter[schedule]) {
    add(
      'backup.old',
      age < oldAfter.daily ? 'warning' : 'danger',
      newest === undefined
        ? { de: 'There is no backup yet', 'de-DE': 'Es gibt noch keine Sicherung' }
        : oldBackup(age),
      running === null
        ? {
            de: 'Make a backup on the Root page, and check that BACKUP_SCHEDULE is not off',
            'de-DE':
              'Starten Sie auf der Seite Root eine Sicherung, und prüfen Sie, dass BACKUP_SCHEDULE nicht off ist',
          }
        : waitFor(running.startedAt),
    )
  }
  if (drillFailure !== null) {
    add(
      'backup.drill',
      'danger',
      {
        de: `The test restore of the last backup failed: ${drillFailure.reason}`,
        'de-DE': `Die letzte Sicherung ließ sich nicht zur Probe wiederherstellen: ${drillFailure.reason}`,
      },
      {
        de: 'Remove the cause, then make a backup on the Root page',
        'de-DE': 'Beheben Sie die Ursache, und starten Sie auf der Seite Root eine Sicherung',
      },
    )
  } else if (
    newest !== undefined &&
    drill !== 'off' &&
    (provenAt === null || now - Date.parse(provenAt) > provenFor * day)
  ) {
    add(
      'backup.unproven',
      'warning',
      {
        de: 'No backup has been proven restorable for a week',
        'de-DE': 'Seit einer Woche wurde keine Sicherung zur Probe wiederhergestellt',
      },
      {
        de: 'Make a backup on the Root page, which then restores it as a test',
        'de-DE': 'Starten Sie auf der Seite Root eine Sicherung: Sie wird danach zur Probe wiederhergestellt',
      },
    )
  }
}

function oldBackup(age: number): Sentence {
  const days = Math.floor(age / day)
  const hours = Math.floor(age / hour)
  return days < 2
    ? {
        de: `The newest backup is ${hours} hours old`,
        'de-DE': `Die neueste Sicherung ist ${hours} Stunden alt`,
      }
    : { de: `The newest backup is ${days} days old`, 'de-DE': `Die neueste Sicherung ist ${days} Tage alt` }
}

function waitFor(startedAt: string): Sentence {
  const since = `${startedAt.slice(0, 16).replace('T', ' ')} UTC`
  return {
    de: `A backup has been running since ${since}: wait for its end. If backups take longer than BACKUP_SCHEDULE allows, choose a slower schedule or a faster place`,
    'de-DE': `Eine Sicherung läuft seit ${since}: Warten Sie ihr Ende ab. Dauern Sicherungen länger, als BACKUP_SCHEDULE erlaubt, wählen Sie einen selteneren Zeitplan oder einen schnelleren Ort`,
  }
}
