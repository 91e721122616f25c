import { conditionEndpoints } from '@pult/contract'
import { useChange } from '@pult/sdk'
import { Button } from '@pult/ui'
import FileDown from 'lucide-react/icons/file-down'
import { downloadText } from '#platform/download-text.ts'
import { notify } from '#platform/notify.ts'
import { texts } from './condition.texts.ts'

/** Downloads facts for support as a file. The file contains neither secrets nor names. */
export function DownloadDiagnostics() {
  // Not a read: each file has the facts of its time.
  const { mutate, isPending } = useChange(conditionEndpoints.diagnostics, () => ({}), {
    touches: [],
    onSuccess: (diagnostics) => {
      const name = `pult-diagnostics-${diagnostics.createdAt.slice(0, 16).replaceAll(':', '-')}.json`
      downloadText(name, JSON.stringify(diagnostics, null, 2))
      notify.success(texts.diagnosticsDownloaded, texts.diagnosticsText)
    },
    onError: (error) => notify.error(texts.diagnosticsFailed, error),
  })
  return (
    <Button icon={<FileDown aria-hidden="true" />} pending={isPending} onClick={() => mutate()}>
      {texts.downloadDiagnostics}
    </Button>
  )
}
