"""Each limit that keeps one visitor from slowing down all others, taken away.

They follow docs/security.md: one for each thing that was once an attack.
"""

from __future__ import annotations

from .break_type import Break

SETTINGS = "tests/server/table/test_settings.py::"
SOCKETS = "tests/server/run/test_websocket.py::"
HTTP_LIMITS = "tests/server/run/test_limited_http.py::"
PLAYERS = "tests/server/jobs/test_player_pool.py::"
SCHEDULER = "tests/server/live/test_scheduler.py::"
READER = "tests/server/jobs/test_reader.py::"
REVIEWS = "tests/server/http/test_reviews.py::"
ALERTS = "tests/server/alerts/test_send.py::"
PACE = "tests/server/alerts/test_pace.py::"
WAITING = "tests/server/storage/test_alerts.py::"
TALK = "tests/server/table/test_commands.py::TestTalking::"
PRESENCE = "tests/server/storage/test_presence.py::"
REGISTRY = "tests/server/live/test_registry.py::"
TABLE = "tests/server/live/test_table.py::"
ROUTES = "tests/server/http/test_route_costs.py::"
COSTS = "tests/server/http/test_costs.py::"
TURNS = "tests/server/http/test_fair_turns.py::"

FLOODS = [
    # ---- the history of settings ------------------------------------------------------------
    Break(
        "figures-are-stored-with-each-change",
        "server/table/commands.py",
        "    if key in state.figures:\n        return e.SettingsChanged(msgspec",
        "    if False:\n        return e.SettingsChanged(msgspec",
        (SETTINGS + "test_figures_are_stored_once",),
    ),
    Break(
        "a-log-has-room-for-any-number-of-editions",
        "server/table/commands.py",
        "if state.figures_bytes + size > MOST_FIGURES_IN_LOG:",
        "if False:",
        (SETTINGS + "test_a_log_holds_so_many_bytes_of_them",),
    ),
    Break(
        "an-edition-is-read-for-each-table",
        "server/table/state.py",
        "@lru_cache(maxsize=32)\n",
        "@lru_cache(maxsize=0)\n",
        (SETTINGS + "test_an_edition_is_read_once",),
    ),
    Break(
        "all-settings-that-ever-were-are-told",
        "server/table/views.py",
        "step.number < state.settings_step:",
        "step.number < 0:",
        (SETTINGS + "test_only_the_latest_settings_are_told_and_figures_with_the_table_alone",),
    ),
    Break(
        "a-long-log-is-loaded-in-one-piece",
        "server/storage/queries/logs.py",
        "                    await asyncio.sleep(0)\n",
        "",
        (REGISTRY + "test_a_long_log_is_loaded_in_pieces",),
    ),
    Break(
        "an-edition-is-read-before-it-may-be-refused",
        "server/table/commands.py",
        "    _host_only(state, person)\n    room_for_changes(state)\n    _check_size(settings)\n",
        "    edition_of(settings)\n    _host_only(state, person)\n    _check_size(settings)\n",
        (SETTINGS + "test_what_costs_nothing_to_refuse_is_refused_first",),
    ),
    # ---- frames -----------------------------------------------------------------------------
    Break(
        "frames-are-not-counted",
        "server/run/websocket.py",
        "if all(self._frames_left.take(now) for _ in self.conn.events):",
        "if now:",
        (SOCKETS + "test_a_flood_of_frames_is_closed_before_it_costs_anything",),
    ),
    Break(
        "bytes-of-a-socket-are-not-counted",
        "server/run/websocket.py",
        "if not self._pieces_left.take(now, -(-len(data) // KIB)):",
        "if not now:",
        (SOCKETS + "test_a_flood_of_bytes_is_closed_too",),
    ),
    Break(
        "a-socket-is-read-while-its-answers-are-not",
        "server/run/websocket.py",
        "        super().pause_writing()\n        self.transport.pause_reading()\n",
        "        super().pause_writing()\n",
        (SOCKETS + "test_nobody_reads_on_while_the_answers_are_not_read",),
    ),
    Break(
        "a-socket-is-read-again-when-the-app-wants-more",
        "server/run/websocket.py",
        "if waits and not self.transport.is_closing():",
        "if False:",
        (SOCKETS + "test_nobody_reads_on_while_the_answers_are_not_read",),
    ),
    Break(
        "floods-of-many-sockets-come-at-once",
        "server/run/websocket.py",
        "if self._held or self._frames_left.used(now) > FRAMES_AT_ONCE:",
        "if self._held:",
        (SOCKETS + "test_floods_of_many_sockets_wait_in_line",),
    ),
    Break(
        "a-closed-socket-stays-open-for-who-does-not-read",
        "server/run/websocket.py",
        "        super().keepalive_timeout()\n        self._abort_in(FAREWELL_S)\n",
        "        super().keepalive_timeout()\n",
        (SOCKETS + "test_who_does_not_read_keeps_no_closed_socket",),
    ),
    # ---- many at once -----------------------------------------------------------------------
    Break(
        "all-of-a-burst-is-begun-at-once",
        "server/http/limits/fair_turns.py",
        "elif begun < self._at_once:",
        "elif begun:",
        ("tests/server/http/test_fair_turns.py::test_a_burst_of_one_lets_others_go_between",),
    ),
    Break(
        "requests-of-a-burst-do-not-wait",
        "server/http/guard.py",
        "            await self._limits.request_turns.turn(caller_key(scope))\n",
        "",
        ("tests/server/http/test_fair_turns.py::test_requests_and_messages_take_turns",),
    ),
    Break(
        "refusals-of-a-burst-do-not-wait",
        "server/http/guard.py",
        "            await self._limits.request_turns.turn(caller_key(scope))\n"
        '            refusal = self._refusal(scope, safe=scope["method"] in SAFE_METHODS)\n',
        '            refusal = self._refusal(scope, safe=scope["method"] in SAFE_METHODS)\n'
        "            if refusal is None:\n"
        "                await self._limits.request_turns.turn(caller_key(scope))\n",
        ("tests/server/http/test_fair_turns.py::test_requests_and_messages_take_turns",),
    ),
    Break(
        "any-number-of-requests-waits-for-answers",
        "server/run/limited_http.py",
        "if len(self.pipeline) >= MOST_WAITING:",
        "if False:",
        (HTTP_LIMITS + "test_few_requests_wait_for_an_answer",),
    ),
    Break(
        "connections-that-come-and-go-are-not-counted",
        "server/run/limited_http.py",
        " or _opened().take(key):",
        ":",
        (HTTP_LIMITS + "test_connections_that_come_and_go_are_counted_too",),
    ),
    Break(
        "all-requests-of-one-are-served-at-once",
        "server/http/guard.py",
        "            async with self._limits.served.place(caller_key(scope)):",
        "            if True:",
        (TURNS + "test_requests_of_one_are_served_a_few_at_a_time",),
    ),
    Break(
        "all-sockets-of-one-load-tables-at-once",
        "server/http/routes/socket.py",
        "async with services.limits.served.place(connection.address):",
        "if True:",
        (TURNS + "test_requests_of_one_are_served_a_few_at_a_time",),
    ),
    Break(
        "refusals-come-at-once",
        "server/http/guard.py",
        "await asyncio.sleep(rate_limits.REFUSED_AFTER_S)\n                await _answer",
        "pass\n                await _answer",
        (TURNS + "test_who_asks_too_often_waits_for_the_refusal",),
    ),
    Break(
        "requests-of-another-site-are-not-counted",
        "server/http/guard.py",
        "        if wait:\n",
        '        if wait and b"origin" not in dict(scope["headers"]):\n',
        (TURNS + "test_who_asks_too_often_waits_for_the_refusal",),
    ),
    Break(
        "one-address-reads-all-histories",
        "server/http/services.py",
        "async with self.limits.reading_back.place(caller), self._reading_back:",
        "async with self._reading_back:",
        (TURNS + "test_one_address_leaves_others_a_place_to_read_their_history",),
    ),
    Break(
        "a-rematch-counts-as-no-table",
        "server/http/routes/tables.py",
        "            count_table(services, at.person)\n",
        "            pass\n",
        ("tests/server/http/test_rate_limits.py::test_a_rematch_is_a_table_like_any_other",),
    ),
    Break(
        "messages-of-a-burst-do-not-wait",
        "server/http/routes/socket.py",
        "            await self.services.limits.message_turns.turn(self.caller)\n",
        "",
        ("tests/server/http/test_fair_turns.py::test_requests_and_messages_take_turns",),
    ),
    Break(
        "lists-of-tables-hold-editions",
        "server/table/list_entry.py",
        "if settings.figures is not None:",
        "if False:",
        (ROUTES + "test_every_route_at_its_largest_input",),
    ),
    Break(
        "a-schema-is-made-for-each-request",
        "server/http/routes/socket_schema.py",
        "@cache\ndef socket_schema_text",
        "def socket_schema_text",
        (ROUTES + "test_every_route_at_its_largest_input",),
    ),
    Break(
        "turns-wait-for-who-is-told-a-long-log",
        "server/live/table.py",
        "        number = await self._tell(told, after, viewer)\n",
        "        number = after\n",
        (TABLE + "test_nobody_waits_for_a_long_log_that_somebody_is_told",),
    ),
    Break(
        "a-step-of-another-worker-is-told-twice",
        "server/live/table.py",
        "known = [step for step in steps if step.number <= last]",
        "known = steps",
        (TABLE + "test_a_step_of_another_worker_is_told_once",),
    ),
    Break(
        "a-new-player-is-told-what-spectators-say",
        "server/live/table.py",
        "if self._seen_by(connection) != viewer:",
        "if False:",
        (TABLE + "test_who_takes_a_seat_meanwhile_is_told_what_players_are",),
    ),
    Break(
        "computers-wait-for-a-clock-that-was-set-back",
        "server/live/scheduler.py",
        "await asyncio.sleep(max(0, min(ready_at - now_ms(), pace)) / 1000)",
        "await asyncio.sleep(max(0, ready_at - now_ms()) / 1000)",
        (SCHEDULER + "test_computers_play_on_when_the_clock_is_set_back",),
    ),
    Break(
        "dead-workers-live-on-when-the-clock-is-set-back",
        "server/storage/queries/presence.py",
        "        await self.set_right(now)\n",
        "",
        (PRESENCE + "test_a_dead_worker_does_not_live_on_when_the_clock_is_set_back",),
    ),
    # ---- memory -----------------------------------------------------------------------------
    Break(
        "tables-that-nobody-uses-fill-the-memory",
        "server/live/registry.py",
        "if used < before or place >= MOST_IDLE",
        "if used < before or place < 0",
        (REGISTRY + "test_only_so_many_unused_tables_stay_in_memory",),
    ),
    Break(
        "somebody-hides-any-number-of-people",
        "server/http/routes/tables.py",
        ">= MOST_HIDDEN:",
        "< 0:",
        ("tests/server/live/test_rooms.py::test_there_is_an_end_to_whom_somebody_hides",),
    ),
    # ---- computer players -------------------------------------------------------------------
    Break(
        "a-person-has-many-hints-at-once",
        "server/jobs/players/player_pool.py",
        "if who and who in self._hinting:",
        "if False:",
        (PLAYERS + "test_a_person_waits_for_one_hint",),
    ),
    Break(
        "who-asks-most-is-served-first",
        "server/jobs/players/question_queue.py",
        "line[who] = items  # behind everybody else",
        "line[who] = items\n                    line.move_to_end(who, last=False)",
        (PLAYERS + "test_turns_go_before_hints_and_everybody_has_the_same_share",),
    ),
    Break(
        "hints-go-with-turns",
        "server/jobs/players/player_pool.py",
        "self._ask(ADVICE, who,",
        "self._ask(TURN, who,",
        (PLAYERS + "test_turns_go_before_hints_and_everybody_has_the_same_share",),
    ),
    Break(
        "all-processes-think-for-nobody",
        "server/jobs/players/player_pool.py",
        "others = self._patient < max(1, len(self._processes) - 1)",
        "others = True",
        (PLAYERS + "test_a_process_is_left_for_turns_that_people_wait_for",),
    ),
    Break(
        "tycoons-play-where-nobody-watches",
        "server/live/scheduler.py",
        "if alone and level not in CHEAP_LEVELS and not await self._watched(table):",
        "if False:",
        (SCHEDULER + "test_where_nobody_watches_either_a_cheap_level_plays",),
    ),
    # ---- reviews ----------------------------------------------------------------------------
    Break(
        "another-unknown-key-makes-another-review",
        "server/jobs/reading.py",
        "content = json.dumps([game, names], sort_keys=True).encode()",
        "content = json.dumps([raw, names], sort_keys=True).encode()",
        (REVIEWS + "test_the_same_game_is_the_same_review_whatever_else_its_record_holds",),
    ),
    Break(
        "reviews-cost-their-caller-nothing",
        "server/http/services.py",
        "wait = self.limits.jobs.take(caller, EXPECTED_S[kind])",
        "wait = 0.0",
        (REVIEWS + "test_an_address_has_a_budget_of_cpu_seconds",),
    ),
    Break(
        "a-review-is-noted-before-it-may-be-refused",
        "server/http/routes/reviews.py",
        '        caller = await services.admit_job(request, "quick" if quick else "review")\n'
        "        now = now_ms()\n"
        "        if not await stored.begin(table_id, now, now - STALE_MS):\n",
        "        now = now_ms()\n"
        "        begun = await stored.begin(table_id, now, now - STALE_MS)\n"
        '        caller = await services.admit_job(request, "quick" if quick else "review")\n'
        "        if not begun:\n",
        (REVIEWS + "test_a_refused_review_leaves_nothing_behind",),
    ),
    Break(
        "one-caller-has-all-of-the-queue",
        "server/jobs/fair_queue.py",
        "            self._waiting[caller] = items\n        return item",
        "            self._waiting[caller] = items\n"
        "            self._waiting.move_to_end(caller, last=False)\n        return item",
        (REVIEWS + "test_callers_take_turns",),
    ),
    Break(
        "results-of-jobs-stay-in-memory",
        "server/jobs/job_queue.py",
        "            if size <= KEPT_BYTES:\n",
        "            if size:\n",
        (REVIEWS + "test_results_in_memory_have_a_limit_in_bytes",),
    ),
    # ---- parsing ----------------------------------------------------------------------------
    Break(
        "figures-are-read-before-they-are-measured",
        "server/jobs/reading.py",
        "    _check_size(raw)\n    edition = figures.read(raw)\n",
        "    edition = figures.read(raw)\n",
        (READER + "test_figures_are_measured_before_they_are_read",),
    ),
    Break(
        "figures-in-a-record-are-of-any-size",
        "server/jobs/reading.py",
        '    _check_size(raw.get("figures"))\n    return read_record(raw)',
        "    return read_record(raw)",
        (READER + "test_figures_are_measured_before_they_are_read",),
    ),
    Break(
        "an-edition-has-any-number-of-cities",
        "rules/editions/figures.py",
        '_few("cities", _get(top, "cities", ""), MOST_CITIES)',
        '_few("cities", _get(top, "cities", ""), 1_000_000)',
        (READER + "test_an_edition_has_a_largest_size",),
    ),
    Break(
        "keys-of-toml-have-any-number-of-parts",
        "rules/editions/shipped.py",
        'if max(_TEXT.sub("", line).count(".") for line in text.split("\\n")) > MOST_DOTS:',
        "if False:",
        (READER + "test_keys_of_many_parts_are_not_parsed",),
    ),
    Break(
        "boards-stay-in-memory",
        "rules/board.py",
        "while self._moves > MOST_KEPT_MOVES and",
        "while self._moves < 0 and",
        (READER + "test_boards_in_memory_have_a_limit_in_size",),
    ),
    Break(
        "reading-takes-as-long-as-it-likes",
        "server/jobs/reader.py",
        "async with asyncio.timeout(SECONDS):",
        "async with asyncio.timeout(3600):",
        (READER + "test_what_takes_too_long_is_ended",),
    ),
    Break(
        "an-expensive-request-counts-as-one",
        "server/http/app.py",
        "limits.charge(caller_key(request.scope), cost_of(request).tokens - 1)",
        "limits.charge(caller_key(request.scope), 0)",
        (COSTS + "test_an_expensive_request_counts_as_many",),
    ),
    Break(
        "bodies-are-as-long-as-they-like",
        "server/http/costs/routes.py",
        "handler.request_max_body_size = min(most, COSTS.get(name, READ).body)",
        "handler.request_max_body_size = most",
        (COSTS + "test_no_route_takes_in_more_than_its_budget_says",),
    ),
    # ---- chat -------------------------------------------------------------------------------
    Break(
        "spectators-fill-the-chat-of-players",
        "server/table/commands.py",
        "    said = state.said[channel]\n",
        '    said = state.said["players"] + state.said["spectators"]\n',
        (TALK + "test_spectators_take_no_room_from_players_nor_one_of_them_from_others",),
    ),
    Break(
        "one-person-fills-the-chat",
        "server/table/commands.py",
        "    if said[person] >= each:\n",
        "    if said[person] >= most:\n",
        (TALK + "test_spectators_take_no_room_from_players_nor_one_of_them_from_others",),
    ),
    # ---- alerts -----------------------------------------------------------------------------
    Break(
        "names-without-an-answer-stop-all-alerts",
        "server/alerts/send.py",
        "return waiting.url in self._proven or self._unproven < MOST_UNPROVEN",
        "return True",
        (ALERTS + "test_names_without_an_answer_hold_up_nobody_elses_alerts",),
    ),
    Break(
        "one-person-has-many-alerts-waiting",
        "server/alerts/send.py",
        "        if len(mine) >= MOST_OF_ONE:\n",
        "        if False:\n",
        (ALERTS + "test_one_persons_alerts_take_no_room_from_others",),
    ),
    Break(
        "one-person-has-many-names-looked-up",
        "server/alerts/send.py",
        "        if self._owners[owner] >= AT_ONCE_OF_ONE:\n            raise TooMany",
        "        if False:\n            raise TooMany",
        (ALERTS + "test_one_person_has_few_looked_up_at_once",),
    ),
    Break(
        "a-look-up-goes-on-for-ever",
        "server/alerts/address_guard.py",
        "            async with asyncio.timeout(LOOK_UP_S):\n",
        "            async with asyncio.timeout(60):\n",
        (ALERTS + "test_a_look_up_ends_with_its_time",),
    ),
    Break(
        "each-alert-looks-its-name-up",
        "server/alerts/address_guard.py",
        "(KEPT_S if found else UNFOUND_S)",
        "0",
        (ALERTS + "test_a_name_is_looked_up_once_a_minute",),
    ),
    Break(
        "one-name-is-looked-up-many-times-at-once",
        "server/alerts/address_guard.py",
        "return self._one_of.setdefault(host, asyncio.Lock())",
        "return asyncio.Lock()",
        (ALERTS + "test_a_name_is_looked_up_once_a_minute",),
    ),
    Break(
        "many-look-ups-start-at-once",
        "server/alerts/address_guard.py",
        "call_later(LOOK_UP_EVERY_S, ",
        "call_later(0, ",
        (ALERTS + "test_many_names_start_few_processes_at_once",),
    ),
    Break(
        "whoever-sits-down-again-alerts-the-host-again",
        "server/alerts/pace.py",
        "0 <= now - last < SEATS_MS",
        "False",
        (PACE + "test_sitting_down_and_getting_up_again_alerts_the_host_once",),
    ),
    Break(
        "one-person-gets-alerts-without-end",
        "server/alerts/pace.py",
        "return 0 <= now - times[0] < HOUR_MS",
        "return False",
        (PACE + "test_one_person_gets_so_many_messages_an_hour_and_the_rest_together",),
    ),
    Break(
        "alerts-of-one-kind-wait-side-by-side",
        "server/storage/queries/alerts.py",
        "await writing.execute(delete(waiting_alert).where(*earlier))",
        "pass",
        (WAITING + "test_one_alert_of_a_kind_waits_for_a_person_and_a_seat",),
    ),
    Break(
        "one-persons-backlog-delays-everybodys-alerts",
        "server/storage/queries/alerts.py",
        "order = (due.c.share, due.c.due_at, due.c.person_id)",
        "order = (due.c.due_at,)",
        (WAITING + "test_one_persons_backlog_delays_nobody_elses_alerts",),
    ),
    # ---- without a proxy --------------------------------------------------------------------
    Break(
        "a-connection-says-nothing-for-ever",
        "server/run/limited_http.py",
        "            self._counted = key\n        self._wait(HEAD_S)\n",
        "            self._counted = key\n",
        (HTTP_LIMITS + "test_a_head_that_takes_too_long",),
    ),
    Break(
        "a-head-takes-as-long-as-it-likes",
        "server/run/limited_http.py",
        "        self._in_head = True\n        self._wait(HEAD_S)\n",
        "        self._in_head = True\n",
        (HTTP_LIMITS + "test_the_head_of_a_later_request_takes_no_longer",),
    ),
    Break(
        "a-body-takes-as-long-as-it-likes",
        "server/run/limited_http.py",
        "        self._in_head = False\n        self._wait(BODY_S)\n",
        "        self._in_head = False\n        self._stop_waiting()\n",
        (HTTP_LIMITS + "test_a_body_that_takes_too_long",),
    ),
    Break(
        "a-request-line-has-any-length",
        "server/run/limited_http.py",
        "if len(self.url) > URL_BYTES:",
        "if False:",
        (HTTP_LIMITS + "test_a_head_that_is_too_large",),
    ),
    Break(
        "headers-have-any-size",
        "server/run/limited_http.py",
        "if self._size > HEAD_BYTES or len(self.headers) > HEADERS:",
        "if False:",
        (HTTP_LIMITS + "test_a_head_that_is_too_large",),
    ),
    Break(
        "an-answer-waits-for-who-does-not-read-it",
        "server/run/limited_http.py",
        "        if self._write_timer is None:\n",
        "        if False:\n",
        (HTTP_LIMITS + "test_an_answer_that_nobody_reads",),
    ),
    Break(
        "an-address-has-any-number-of-connections",
        "server/run/limited_http.py",
        "if _open[key] >= _most_connections(key) or",
        "if",
        (HTTP_LIMITS + "test_connections_are_counted_by_address_and_given_back",),
    ),
]
