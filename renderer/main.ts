import { firstAnswers, firstSocket, startsWithList } from './before-window.ts';
import { openWindow } from './open-window.ts';

// Not awaited: chunks that import from this one would wait for it, and it for them.
void firstSocket.then((socket) => openWindow({ socket, firstAnswers, startsWithList }));
