import { isCancelled, useAppNavigate, useNotify, useUpload } from '@pult/sdk'
import type { InstalledExtension } from '@pult/sdk/api'
import { Alert, Button, Card, Dialog, DialogActions, formatBytes } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, type SubmitEvent, useId, useRef, useState } from 'react'
import styles from './extensions.module.css'
import { useReadAgain } from './extensions.queries.ts'
import { texts } from './extensions.texts.ts'

interface InstallDialogProps {
  /** A file that was dropped on the page. */
  dropped: File | null
  open: boolean
  onClose: () => void
}

const path = '/apps/root/extensions'
const isArchive = ({ name }: File) => /\.(?:tgz|tar\.gz)$/i.test(name)

/** Sends an archive of an extension to the server, after saying what that means. */
export function InstallDialog({ dropped, open, onClose }: InstallDialogProps) {
  const [file, setFile] = useState(dropped)
  const [hasTried, setTried] = useState(false)
  const [share, setShare] = useState<number | null>(null)
  const pickerId = useId()
  const upload = useUpload()
  const notify = useNotify()
  const goTo = useAppNavigate()
  const readAgain = useReadAgain()
  const giveUp = useRef(new AbortController())
  const install = useMutation({
    mutationFn: (archive: File) =>
      upload(path, archive, {
        contentType: 'application/gzip',
        onProgress: setShare,
        signal: giveUp.current.signal,
      }),
    onSettled: () => setShare(null),
  })

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
      // As the contract says: the extension, as the list would have it.
      const { id, label } = (await install.mutateAsync(file)) as InstalledExtension
      await readAgain()
      close()
      notify({ title: texts.isInstalled(label), text: texts.isInstalledText, tone: 'success' })
      goTo(encodeURIComponent(id))
    } catch {
      // The dialog comes back, says why and has kept the file.
    }
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
    choose(event.dataTransfer.files[0] ?? null)
  }
  const problem =
    file !== null && !isArchive(file)
      ? texts.notAnArchive(file.name)
      : hasTried && file === null
        ? texts.noArchive
        : null
  const { error } = install
  if (install.isPending) {
    // On the page, because the question of who one is may come first, and takes the dialog's place.
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
        <div className={styles.drop} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
          <label htmlFor={pickerId}>{texts.drop}</label>
          <input
            id={pickerId}
            className={styles.picker}
            type="file"
            accept=".tgz,.tar.gz,application/gzip"
            aria-invalid={problem === null ? undefined : true}
            onChange={({ target }) => choose(target.files?.[0] ?? null)}
          />
          {file !== null && (
            <p className={styles.chosen}>{texts.chosen(file.name, formatBytes(file.size))}</p>
          )}
        </div>
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
