import { conditionEndpoints } from '@pult/contract'
import { Button } from '@pult/ui'
import { useMutation } from '@tanstack/react-query'
import FileDown from 'lucide-react/icons/file-down'
import { api } from '#platform/api.ts'
import { downloadText } from '#platform/download-text.ts'
import { notify } from '#platform/notify.ts'
import { texts } from './condition.texts.ts'

/** Downloads facts for support as a file. The file contains neither secrets nor names. */
export function DownloadDiagnostics() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api(conditionEndpoints.diagnostics),
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
