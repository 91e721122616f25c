import { FileStoreFault } from './file-store-fault.ts'

interface LostMark {
  folder: string
  /** The file of the mark. */
  path: string
  isMissing: boolean
  /** The known mark. */
  mark: string | undefined
}

/** Returns the fault of a folder of files that is not the one which the installation knows. */
export function lostMarkFault({ folder, path, isMissing, mark }: LostMark): FileStoreFault {
  const [state, german] = isMissing
    ? ['is missing', 'fehlt']
    : ['belongs to another folder', 'ist eine andere']
  return new FileStoreFault(
    {
      de: `the folder ${folder} is not the one with the files of this installation, because its file store-id ${state}: its disk or share is probably not mounted`,
      'de-DE': `der Ordner ${folder} ist nicht der mit den Dateien dieser Installation, denn seine Datei store-id ${german}: Vermutlich ist sein Datenträger oder seine Freigabe nicht eingehängt`,
    },
    {
      de: `Mount it. To use this folder nevertheless, write ${mark ?? 'any word'} into ${path}`,
      'de-DE': `Hängen Sie ihn ein. Um diesen Ordner trotzdem zu benutzen, schreiben Sie ${mark ?? 'ein beliebiges Wort'} in ${path}`,
    },
  )
}

/** Returns the fault of a folder of files on a read-only file system. */
export const readOnlyFault = (folder: string, cause: unknown) =>
  new FileStoreFault(
    {
      de: `the folder ${folder} is read-only (EROFS)`,
      'de-DE': `der Ordner ${folder} ist nur lesbar (EROFS)`,
    },
    {
      de: 'Mount it for writing. A systemd unit must name it in ReadWritePaths',
      'de-DE': 'Hängen Sie ihn zum Schreiben ein. Eine systemd-Unit muss ihn in ReadWritePaths nennen',
    },
    cause,
  )

/** Returns the fault of a folder of files whose disk can hold no further file, although bytes may be free. */
export const noInodesFault = (folder: string) =>
  new FileStoreFault(
    {
      de: `the disk of the folder ${folder} is full: it has no free inodes for new files`,
      'de-DE': `der Datenträger des Ordners ${folder} ist voll: Er hat keine freien Inodes für neue Dateien`,
    },
    {
      de: 'Delete files there, or use a file system with more inodes: df -i shows them',
      'de-DE':
        'Löschen Sie dort Dateien, oder verwenden Sie ein Dateisystem mit mehr Inodes: df -i zeigt sie an',
    },
  )
