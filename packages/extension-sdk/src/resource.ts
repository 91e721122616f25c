// Components for pages that list, read and save records: a whole resource page, and its parts for other pages.

export { messageFor } from './forms/message-for.ts'
export { useDraft } from './forms/use-draft.ts'
export { useLeaveWhenSaved } from './forms/use-leave-when-saved.ts'
export { useRepeatableKey } from './forms/use-repeatable-key.ts'
export { useSaveShortcut } from './forms/use-save-shortcut.ts'
export { useSettled } from './forms/use-settled.ts'
export { useTypedValue } from './forms/use-typed-value.ts'
export { useUnsavedInput } from './forms/use-unsaved-input.ts'
export { ListFrame, type ListFrameProps } from './list/ListFrame.tsx'
export { NotUnderstoodNote, type NotUnderstoodNoteProps } from './list/NotUnderstoodNote.tsx'
export { type NotUnderstood, notUnderstoodIn, type ParameterValues } from './list/not-understood.ts'
export {
  type ChosenFilters,
  type ListFilters,
  type ListViewOptions,
  useListView,
} from './list/use-list-view.ts'
export { useSelection } from './list/use-selection.ts'
export { CreateForm, type CreateFormProps } from './resource/CreateForm.tsx'
export { conflictOf } from './resource/conflict-of.ts'
export { EditConflict, type EditConflictProps } from './resource/EditConflict.tsx'
export { EditForm, type EditFormProps } from './resource/EditForm.tsx'
export { FormDialog, type FormDialogProps } from './resource/FormDialog.tsx'
export type { FormField, FormFields, TextProps } from './resource/form-fields.ts'
export { Loaded, type LoadedProps } from './resource/Loaded.tsx'
export { LoadingFailed, type LoadingFailedProps } from './resource/LoadingFailed.tsx'
export { isGone, refetchWhileOpen, whileOpen } from './resource/open-record.ts'
export { RecordPage, type RecordPageProps } from './resource/RecordPage.tsx'
export { ResourcePage } from './resource/ResourcePage.tsx'
export { resourceRoute } from './resource/resource-route.ts'
export type {
  Problems,
  RecordItem,
  ResourceEndpoints,
  ResourceTexts,
  ResourceView,
  ViewOf,
} from './resource/resource-view.ts'
export { SaveBar, type SaveBarProps } from './resource/SaveBar.tsx'
export { type FormFieldsOptions, useFormFields } from './resource/use-form-fields.tsx'
export { type ResourceCalls, type ResourceOptions, useResource } from './resource/use-resource.ts'
export { Waiting, type WaitingProps } from './resource/Waiting.tsx'
export { SettingsFacts, type SettingsFactsProps } from './settings/SettingsFacts.tsx'
export { SettingsForm, type SettingsFormProps } from './settings/SettingsForm.tsx'
export { StaleNote, type StaleNoteProps } from './stale/StaleNote.tsx'
export { staleSince } from './stale/stale-since.ts'
