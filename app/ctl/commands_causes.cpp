// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/intents.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/opened_target.h"
#include "models/format/quantities.h"
#include "models/format/shell_word.h"
#include "models/retries/causes.h"
#include "models/retries/retry_json.h"
#include "sql/keys/cause_reader.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostCauseRows = 1'000'000;
constexpr int kAdviceIndent = 2;

QJsonValue momentOrNull(const std::optional<sql::Timestamp> &time)
{
    return time ? QJsonValue(time->toRfc3339()) : QJsonValue();
}

/// The command that corrects such keys; empty where none is offered.
QString commandFor(const sql::CauseGroup &group, const models::CauseOffer &offer, const QString &target)
{
    return !offer.verb || !offer.to
        ? QString()
        : u"%1 --target %2 --filter %3 --to %4 --dry-run"_s.arg(sql::verbName(*offer.verb), models::shellWord(target),
            models::shellWord(models::causeFilter(group, true)), sql::stateName(*offer.to));
}

/// By outcome as the rules of "retry" are named; keys that no rule fits are in none.
QJsonObject retriesJson(const sql::CauseGroup &group)
{
    QJsonObject counts;
    for (auto it = group.retries.cbegin(); it != group.retries.cend(); ++it) {
        counts.insert(sql::retryOutcomeName(it.key()), it.value());
    }
    return counts;
}

QJsonObject causeJson(const sql::CauseGroup &group, const models::CauseOffer &offer, const QString &command)
{
    const QString filter = models::causeFilter(group, false);
    return { { u"cause"_s, textOrNull(group.cause) }, { u"coded"_s, group.coded },
        { u"error"_s, group.coded ? models::errorCodeJson(group.cause) : QJsonValue() }, { u"final"_s, group.final },
        { u"retryable"_s, group.retryable }, { u"retries_now"_s, retriesJson(group) },
        { u"first"_s, momentOrNull(group.first) }, { u"last"_s, momentOrNull(group.last) },
        { u"message"_s, group.message }, { u"filter"_s, textOrNull(filter) }, { u"correct"_s, textOrNull(command) },
        { u"missing"_s, textOrNull(offer.why) } };
}

QString classCell(const std::optional<models::ErrorCode> &meaning)
{
    return !meaning       ? u"–"_s
        : meaning->byName ? Tr::tr("%1 by name").arg(models::failureClassName(meaning->cls))
                          : models::failureClassName(meaning->cls);
}

QStringList causeLine(const sql::CauseGroup &group)
{
    const auto time = [](const std::optional<sql::Timestamp> &at) { return at ? timeCell(*at) : u"–"_s; };
    return { models::causeText(group), classCell(models::causeMeaning(group)), models::countText(group.final),
        models::countText(group.retryable), time(group.first), time(group.last) };
}

/// What is said, once, and the causes that it is said of.
using SaidOf = QList<std::pair<QString, QStringList>>;

void add(SaidOf *lines, const QString &said, const QString &cause)
{
    const auto same
        = std::find_if(lines->begin(), lines->end(), [&said](const auto &line) { return line.first == said; });
    if (same == lines->end()) {
        lines->append({ said, { cause } });
    } else {
        same->second += cause;
    }
}

/// What to do of each cause that is known.
QStringList adviceLines(const sql::CausePage &page)
{
    SaidOf lines;
    for (const sql::CauseGroup &group : page.groups) {
        if (const auto meaning = models::causeMeaning(group)) {
            add(&lines, meaning->advice, models::causeText(group));
        }
    }
    QStringList texts;
    for (const auto &[advice, causes] : std::as_const(lines)) {
        texts += wrapped(Tr::tr("%1: %2").arg(causes.join(u", "_s), advice), lineWidth(), kAdviceIndent);
    }
    return texts;
}

/// What a retry gets now.
QStringList retryLines(const sql::CausePage &page)
{
    SaidOf lines;
    for (const sql::CauseGroup &group : page.groups) {
        for (const models::CauseRetry &retry : models::causeRetries(group)) {
            add(&lines, retry.word, Tr::tr("%1 (%2)").arg(models::causeText(group), models::countText(retry.rows)));
        }
    }
    QStringList texts;
    for (const auto &[word, causes] : std::as_const(lines)) {
        texts += wrapped(Tr::tr("A retry now, %1: %2").arg(word, causes.join(u", "_s)), lineWidth(), kAdviceIndent);
    }
    return texts;
}

Exit runCauses(const Context &context)
{
    TRY_OR(fail, const auto opened, openTarget(context));
    TRY_OR(fail, const auto page, sql::readCauses(*opened.session, opened.target, context.number(u"rows"_s)));
    QJsonArray items;
    QList<QStringList> rows;
    QStringList offers;
    for (const sql::CauseGroup &group : page.groups) {
        const auto offer = models::causeOffer(group, opened.target.profile, opened.registered.has_value());
        const QString name = opened.registered ? opened.registered->name : opened.target.profile.name;
        const QString command = commandFor(group, offer, name);
        items.append(causeJson(group, offer, command));
        rows += causeLine(group);
        if (!command.isEmpty()) {
            offers += Tr::tr("%1 passes by itself and was stored as final: idemdeskctl %2").arg(group.cause, command);
        } else if (!offer.why.isEmpty()) {
            offers += Tr::tr("%1 passes by itself and was stored as final. %2").arg(group.cause, offer.why);
        }
    }
    QStringList notes = page.notes;
    if (!page.retryNote.isEmpty()) {
        notes += page.retryNote;
    }
    const QStringList said = notes + QStringList { models::causesBound(page) }
        + (page.moreGroups ? QStringList { Tr::tr("Rarer causes are left out.") } : QStringList());
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"looked_at"_s, page.lookedAt },
            { u"bounded"_s, page.bounded }, { u"newest"_s, page.newest }, { u"more_causes"_s, page.moreGroups },
            { u"notes"_s, QJsonArray::fromStringList(notes) }, { u"complete"_s, notes.isEmpty() } });
    } else {
        print(table({ Tr::tr("CAUSE"), Tr::tr("CLASS"), Tr::tr("FINAL"), Tr::tr("RETRYABLE"), Tr::tr("FIRST SEEN"),
                        Tr::tr("LAST SEEN") },
            rows));
        for (const QStringList &lines : { adviceLines(page), retryLines(page) }) {
            if (!lines.isEmpty()) {
                print(u'\n' + lines.join(u'\n') + u'\n');
            }
        }
        print(u"\n"_s);
    }
    for (const QString &text : said + (context.json() ? QStringList() : offers)) {
        note(text);
    }
    return notes.isEmpty() ? Exit::Done : Exit::Unknown;
}

} // namespace

Command causesCommand()
{
    return { .name = u"causes"_s,
        .summary = Tr::tr("why keys failed, by cause"),
        .about = Tr::tr(
            "Groups failed keys by their error code. Rows without one are grouped by their message, with digits as "
            "“#”. "
            "FINAL and RETRYABLE count how the failures are stored. What the service does with a retry now stands "
            "beneath, by the profile's rules.\n\n"
            "Each code that the console knows is called passing, final or to be looked at (depends), with what to do. "
            "A service's own word, such as card_declined, is read by its usual meaning: “by name”.\n\n"
            "Of a large table so many failed keys are looked at as --rows says; whether these are the newest is said. "
            "Temporary failures that were stored as final are offered for “reclassify”, as far as the profile's rules "
            "permit it."),
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(),
                Option::number(u"rows"_s, 1, kMostCauseRows, Tr::tr("Look at so many failed keys at most."),
                    QString::number(sql::kCauseRows)) },
        .examples = { { Tr::tr("What failed, and what helps:"), u"causes --target app.idempotency_request"_s },
            { Tr::tr("The codes alone, for a script:"),
                u"causes --target app.idempotency_request --json | jq -r '.items[].cause'"_s } },
        .run = runCauses,
        .watched = { QString() } };
}

} // namespace idemdesk::app
