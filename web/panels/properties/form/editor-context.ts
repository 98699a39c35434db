// Provides the panel's editor to controls that need more than their field.
import { createContext } from 'preact';
import type { OpenEditor } from '../../../canvas/open-editor.js';

export const EditorContext = createContext<OpenEditor>(undefined as never);
