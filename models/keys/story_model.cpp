// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/story_model.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/keys/key_cells.h"
#include "models/keys/touch_words.h"
#include "models/provider/provider_words.h"
#include "models/retries/error_codes.h"
#include "sql/actions/action_gateway.h"
#include "sql/types/tr.h"

#include <QRegularExpression>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::Role;
using Kind = StoryEvent::Kind;

/// The SQL a role was read from, as a person finds it in the table: "app.request.claimed_at".
QString sourceOf(const sql::Target &target, Role role)
{
    const sql::Expression expression = target.profile.role(role);
    return displayText(expression.column.isEmpty()
            ? expression.sql
            : target.relation.schema + u'.' + target.relation.name + u'.' + expression.column);
}

QString titleOf(Kind kind, const sql::KeyRecord &record, bool past)
{
    const sql::Cell owner = record.role(Role::Owner);
    const QString who = owner.null || owner.text.isEmpty() ? QString() : cellText(owner, 80);
    switch (kind) {
    case Kind::Created:
        return Tr::tr("Key first seen");
    case Kind::Claimed:
        return who.isEmpty() ? Tr::tr("Claimed") : Tr::tr("Claimed by %1").arg(who);
    case Kind::Heartbeat:
        return who.isEmpty() ? Tr::tr("Last heartbeat") : Tr::tr("Last heartbeat of %1").arg(who);
    case Kind::LeaseEnds:
        return past ? Tr::tr("Lease ended") : Tr::tr("Lease ends");
    case Kind::Updated:
        return Tr::tr("Row last changed");
    case Kind::Completed:
        return Tr::tr("Completed: %1").arg(stateLabel(record.state));
    case Kind::Expires:
        return past ? Tr::tr("Retention ended; once purged, a retry executes again") : Tr::tr("Retention ends");
    case Kind::Effect:
    case Kind::EffectMissing:
    case Kind::EffectUnreadable:
    case Kind::Conflict:
    case Kind::Action:
    case Kind::Cached:
    case Kind::CacheEnds:
    case Kind::Lock:
    case Kind::Silence:
    case Kind::Now:
        break; // these are told where they are made
    }
    return {};
}

QString detailOf(Kind kind, const sql::KeyRecord &record)
{
    QStringList parts;
    if (kind == Kind::Claimed && !record.role(Role::Attempts).null) {
        parts.append(Tr::tr("attempt %1").arg(cellText(record.role(Role::Attempts), 20)));
        // A row keeps its newest attempt alone.
        if (const int earlier = record.role(Role::Attempts).text.toInt() - 1; earlier > 0) {
            parts.append(Tr::tr("%n earlier attempt(s) not recorded", nullptr, earlier));
        }
    }
    if (kind == Kind::Completed || kind == Kind::Updated) {
        for (const Role role : { Role::ErrorCode, Role::ErrorMessage }) {
            if (const sql::Cell cell = record.role(role); !cell.null && !cell.text.isEmpty()) {
                parts.append(cellText(cell));
            }
        }
    }
    // What the service should do after it is no advice to whoever finds the key stuck.
    const bool coded = kind != Kind::Claimed && !parts.isEmpty() && !record.role(Role::ErrorCode).null;
    const QString meaning = coded ? errorCodeMeaning(record.role(Role::ErrorCode).text) : QString();
    return parts.join(kind == Kind::Claimed ? u", "_s : u": "_s) + (meaning.isEmpty() ? QString() : u" – "_s + meaning);
}

void addEffects(const sql::KeyDetail &detail, QList<StoryEvent> *events)
{
    const bool review = detail.record.state != sql::KeyState::Succeeded; // there it says that it was done
    for (const sql::EffectResult &effect : detail.effects) {
        StoryEvent event;
        event.source = displayText(effect.type);
        const QString type = displayText(effect.type, 80);
        if (effect.rows.isEmpty() && (effect.unlinked || (effect.error.isEmpty() && effect.unproven))) {
            event.kind = Kind::EffectUnreadable;
            event.title = (review ? Tr::tr("No %1 found, which proves nothing. Review it.")
                                  : Tr::tr("No %1 found, which proves nothing"))
                              .arg(type);
            event.detail = effectDoubt(effect);
            events->append(event);
            continue;
        }
        if (!effect.error.isEmpty()) {
            event.kind = Kind::EffectUnreadable;
            event.title = (review ? Tr::tr("Effect %1 could not be read: this key needs review")
                                  : Tr::tr("Effect %1 could not be read"))
                              .arg(type);
            event.detail = displayText(effect.error);
            events->append(event);
            event.detail.clear();
        } else if (effect.rows.isEmpty()) {
            event.kind = Kind::EffectMissing;
            event.title = Tr::tr("No effect %1 was found").arg(type);
            event.detail = effect.checking ? Tr::tr("Whether that proves anything is being checked.") : QString();
            events->append(event);
            continue;
        }
        for (const sql::EffectRow &row : effect.rows) {
            event.kind = Kind::Effect;
            event.title = Tr::tr("Effect %1 %2").arg(type, cellText(row.id, 80));
            event.detail = row.state.null ? QString() : cellText(row.state);
            if (row.proves) {
                event.detail
                    += (event.detail.isEmpty() ? QString() : u", "_s) + Tr::tr("proves that the request took effect");
            }
            event.at = row.at.null ? std::nullopt : sql::Timestamp::parse(row.at.text);
            events->append(event);
        }
    }
}

/// The title with each uuid cut in its middle: whole, it breaks over two lines.
QString shortTitle(const QString &title)
{
    static const QRegularExpression uuid(
        u"\\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{6}([0-9a-f]{6})\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    return QString(title).replace(uuid, u"\\1…\\2"_s);
}

} // namespace

QString effectDoubt(const sql::EffectResult &effect)
{
    if (!effect.error.isEmpty()) {
        return displayText(effect.error);
    }
    return effect.unproven && effect.rows.isEmpty()
        ? Tr::tr("In a sample of rows, the query of “%1” never found an effect here, so finding nothing shows nothing.")
              .arg(displayText(effect.type, 80))
        : QString();
}

StoryEvent touchEvent(const sql::KeyTouch &touch)
{
    return { Kind::Action, Tr::tr("%1 by %2, from the console").arg(touchLabel(touch), displayText(touch.who, 80)),
        displayText((touch.release ? touchOutcome(touch) : touch.outcome)
                + (touch.reason.isEmpty() ? QString() : u" · "_s + touch.reason),
            200),
        u"idemdesk.audit"_s, touch.at, false };
}

StoryEvent providerEvent(const sql::ProviderEvidence &word, bool masked)
{
    constexpr qsizetype most = 400; // characters of what a person or a file said
    StoryEvent event;
    event.kind = StoryEvent::Kind::Action;
    event.title = Tr::tr("Provider's statement: %1").arg(providerWordText(word.says));
    QStringList detail { evidenceText(word, masked), displayText(word.reason, most) };
    if (!masked && !word.text.isEmpty()) {
        detail += displayText(word.text, most);
    }
    detail += Tr::tr("SHA-256 of the file: %1").arg(word.fileSha);
    event.detail = detail.join(u" · "_s);
    event.source = Tr::tr("statement %1").arg(displayText(word.file, 80));
    event.at = word.at;
    return event;
}

void sortStory(QList<StoryEvent> *events, const sql::Timestamp &now)
{
    for (StoryEvent &event : *events) {
        event.future = event.at && *event.at > now;
    }
    const auto rank = [](const StoryEvent &event) {
        return event.future ? 3 : event.kind == Kind::Now ? 2 : event.at ? 0 : 1;
    };
    std::stable_sort(events->begin(), events->end(), [rank](const StoryEvent &a, const StoryEvent &b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : a.at && b.at && *a.at < *b.at;
    });
}

bool isOpenStory(const QList<StoryEvent> &events)
{
    bool completed = false;
    for (const StoryEvent &event : events) {
        if (event.kind == Kind::Now && event.state && *event.state != sql::KeyState::Unknown) {
            // Many tables keep no time of completion, and leave claim and lease where they were.
            return *event.state == sql::KeyState::InProgress || *event.state == sql::KeyState::Pending;
        }
        completed = completed || event.kind == Kind::Completed;
    }
    return !completed;
}

QList<StoryEvent> withSilence(const QList<StoryEvent> &events)
{
    constexpr qint64 kSilence = 3'600'000'000; // microseconds
    const bool finished = !isOpenStory(events);
    QList<StoryEvent> told;
    std::optional<sql::Timestamp> last;
    for (const StoryEvent &event : events) {
        const bool moment = event.kind == Kind::Now || event.kind == Kind::Cached; // of the look, not of the key
        const bool ends = event.at && event.at->finite() && !event.future && (!moment || !finished);
        if (ends && last && event.at->micros - last->micros >= kSilence) {
            StoryEvent gap;
            gap.kind = Kind::Silence;
            gap.title = Tr::tr("%1 of silence").arg(durationText((event.at->micros - last->micros) / 1'000'000));
            told += gap;
        }
        last = ends ? event.at : last;
        told += event;
    }
    return told;
}

QList<StoryEvent> storyOf(const sql::Target &target, const sql::KeyDetail &detail)
{
    static constexpr std::array<std::pair<Role, Kind>, 7> times { { { Role::CreatedAt, Kind::Created },
        { Role::ClaimedAt, Kind::Claimed }, { Role::HeartbeatAt, Kind::Heartbeat },
        { Role::LeaseUntil, Kind::LeaseEnds }, { Role::UpdatedAt, Kind::Updated },
        { Role::CompletedAt, Kind::Completed }, { Role::ExpiresAt, Kind::Expires } } };
    QList<StoryEvent> events;
    for (const auto &[role, kind] : times) {
        const sql::Cell cell = detail.record.role(role);
        if (cell.null && !cell.failed()) {
            continue;
        }
        StoryEvent event;
        event.kind = kind;
        event.source = sourceOf(target, role);
        event.at = cell.failed() ? std::nullopt : sql::Timestamp::parse(cell.text);
        event.title = titleOf(kind, detail.record, event.at && *event.at <= detail.now);
        event.detail = cell.failed() || !event.at ? cellToolTip(cell) : detailOf(kind, detail.record);
        events.append(event);
    }
    addEffects(detail, &events);
    StoryEvent now;
    now.kind = Kind::Now;
    now.title = Tr::tr("Now, by the server's clock");
    now.detail = recordStateText(detail.record);
    now.at = detail.now;
    now.state = detail.record.state;
    events.append(now);
    sortStory(&events, detail.now);
    return events;
}

StoryModel::StoryModel(QObject *parent)
    : QAbstractListModel(parent)
{
}

void StoryModel::setStory(const QList<StoryEvent> &events, const sql::Timestamp &now)
{
    beginResetModel();
    m_events = withSilence(events);
    m_now = now;
    endResetModel();
}

void StoryModel::setTimeFormat(const TimeFormat &format)
{
    m_timeFormat = format;
    if (!m_events.isEmpty()) {
        emit dataChanged(index(0), index(int(m_events.size()) - 1));
    }
}

int StoryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_events.size());
}

QVariant StoryModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const StoryEvent &event = m_events.at(index.row());
    const auto ageText = [&event, this] {
        if (event.kind == Kind::Now) {
            return tr("now");
        }
        if (!event.at) {
            return QString();
        }
        const QString age = TimeFormat::age(*event.at, m_now);
        return event.at->finite() && !event.future ? tr("%1 ago").arg(age) : age;
    };
    const auto toolTip = [&event, this] {
        QStringList lines { shortTitle(event.title) == event.title ? QString() : event.title,
            event.at ? m_timeFormat.toolTip(*event.at, m_now) : QString(), event.source };
        lines.removeAll(QString());
        return lines.join(u'\n');
    };
    switch (role) {
    case Qt::DisplayRole: // what is copied and read aloud
        return event.title;
    case TitleRole:
        return shortTitle(event.title);
    case Qt::AccessibleTextRole: {
        const QString age = ageText();
        return age.isEmpty() ? event.title : QString(event.title + u", "_s + age);
    }
    case Qt::ToolTipRole:
        return toolTip();
    case KindRole:
        return int(event.kind);
    case DetailRole:
        return event.detail;
    case SourceRole:
        return event.source;
    case TimeTextRole:
        return event.at ? m_timeFormat.text(*event.at)
            : event.kind == StoryEvent::Kind::EffectMissing || event.kind == StoryEvent::Kind::Silence
            ? QString()
            : tr("time unknown");
    case AgeTextRole:
        return ageText();
    case FutureRole:
        return event.future;
    default:
        return {};
    }
}

QHash<int, QByteArray> StoryModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractListModel::roleNames();
    names.insert({ { KindRole, "kind" }, { TitleRole, "title" }, { DetailRole, "detail" }, { SourceRole, "source" },
        { TimeTextRole, "timeText" }, { AgeTextRole, "ageText" }, { FutureRole, "future" } });
    return names;
}

} // namespace idemdesk::models

#include "moc_story_model.cpp"
