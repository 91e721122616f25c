import { isCancelled, useAppNavigate, useNotify, useReadAgain, useRun, useUpload } from '@pult/sdk'
import { type InstalledExtension, installedExtension } from '@pult/sdk/api/root'
import { Alert, Button, Card, Dialog, DialogActions, FileDrop, formatBytes } from '@pult/sdk/ui'
import { type SubmitEvent, useRef, useState } from 'react'
import styles from './extensions.module.css'
import { extensionsPath } from './extensions.queries.ts'
import { texts } from './extensions.texts.ts'

interface InstallDialogProps {
  /** A file that was dropped on the page. */
  dropped: File | null
  open: boolean
  onClose: () => void
}

const isArchive = ({ name }: File) => /\.(?:tgz|tar\.gz)$/i.test(name)

/** Uploads an extension archive after a warning about trusted code. */
export function InstallDialog({ dropped, open, onClose }: InstallDialogProps) {
  const [file, setFile] = useState(dropped)
  const [hasTried, setTried] = useState(false)
  const [share, setShare] = useState<number | null>(null)
  const upload = useUpload()
  const notify = useNotify()
  const goTo = useAppNavigate()
  const readAgain = useReadAgain(extensionsPath)
  const giveUp = useRef(new AbortController())
  const install = useRun(
    (archive: File) =>
      upload(extensionsPath, archive, {
        contentType: 'application/gzip',
        reply: installedExtension,
        onProgress: setShare,
        signal: giveUp.current.signal,
      }),
    { onSettled: () => setShare(null) },
  )

  const choose = (chosen: File | null) => {
    if (chosen !== null) setFile(chosen)
    install.reset()
  }
  const close = () => {
    giveUp.current.abort()
    giveUp.current = new AbortController()
    onClose()
    setFile(null)
    setTried(false)
    install.reset()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (file === null || !isArchive(file)) return
    try {
      // The reply is the extension, as in the list.
      const { id, label, versions } = (await install.mutateAsync(file)) as InstalledExtension
      const isForeign = versions.some(({ source }) => source === 'bundled')
      await readAgain()
      close()
      notify({
        title: texts.isInstalled(label),
        text: isForeign ? texts.replacesBundled(label) : texts.isInstalledText,
        tone: isForeign ? 'warning' : 'success',
      })
      goTo(encodeURIComponent(id))
    } catch {
      // The dialog reopens, shows the error and keeps the file.
    }
  }

  const problem =
    file !== null && !isArchive(file)
      ? texts.notAnArchive(file.name)
      : hasTried && file === null
        ? texts.noArchive
        : null
  const { error } = install
  if (install.isPending) {
    // Shown on the page, because a step-up dialog may replace this one.
    return (
      <Card className={styles.progress} role="status">
        <label>
          {share === null || share < 1 ? texts.sending : texts.checking}
          <progress value={share ?? 0} max={1} />
        </label>
        <Button onClick={close}>{texts.cancel}</Button>
      </Card>
    )
  }
  return (
    <Dialog open={open} title={texts.installTitle} size="md" onClose={close}>
      <form className={styles.install} onSubmit={(event) => void submit(event)} noValidate>
        <Alert tone="warning" title={texts.warning}>
          {texts.warningText}
        </Alert>
        <FileDrop
          label={texts.chooseArchive}
          hint={texts.orDrop}
          dropLabel={texts.dropHere}
          accept=".tgz,.tar.gz,application/gzip"
          description={file === null ? texts.archiveHint : texts.chosen(file.name, formatBytes(file.size))}
          onFiles={([chosen]) => choose(chosen ?? null)}
        />
        {problem !== null && <Alert tone="danger">{problem}</Alert>}
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.installFailed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" variant="primary">
            {texts.confirmInstall}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
