import { defineStore } from 'pinia';
import type { VisitMessages } from '#shared/desk/cases/day.ts';
import { useTransport } from '../transport/transport.ts';

/** The user's own messages before a visit, by language. */
export const useMessagesStore = defineStore('messages', () => {
  const { client } = useTransport();
  const read = (): Promise<VisitMessages> => client.day.messages();
  const save = (messages: VisitMessages): Promise<VisitMessages> =>
    client.day.setMessages(messages);
  return { read, save };
});
