// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/request/request.h"
#include "models/triage/frozen_set.h"
#include "models/triage/triage_model.h"
#include "sql/types/filter.h"

#include <QObject>
#include <QTimeZone>

namespace idemdesk::models {

class CauseController;

/// The recovery page without its widgets: reads the keys of a target with their facts, judges them, and freezes what is
/// chosen. Lives on the GUI thread.
class TriageController final : public QObject
{
    Q_OBJECT

public:
    /// Keys read at once; more must be narrowed by a filter or recovered in turns.
    static constexpr int kMostKeys = 5'000;

    explicit TriageController(QObject *parent = nullptr);
    ~TriageController() override;

    TriageModel *model() const { return m_model; }
    CauseController *causes() const { return m_causes; } ///< why keys of the same table failed
    void setDatabase(sql::Database *database);
    /// Forgets the filter, the keys and what was chosen of them.
    void setTarget(const TargetEntry &entry);
    /// The same where nobody asked for it: the connection is another one, or the table is gone. What a person had
    /// chosen ends with it, and choiceEnded() says so until somebody reads anew.
    void replaceTarget(const TargetEntry &entry);
    bool choiceEnded() const { return m_choiceEnded; } ///< whoever chose keys meant no others: read nothing unasked
    /// The same table under another registration: the keys that were checked or taken out stay so. To be read anew.
    void renewTarget(const TargetEntry &entry);
    const TargetEntry &target() const { return m_target; }
    /// In which zone a filter's times are meant that name none: the one that the window shows.
    void setZone(const QTimeZone &zone) { m_zone = zone; }
    void setVerb(sql::ActionVerb verb);
    sql::ActionVerb verb() const { return m_verb; }
    QString filterText() const { return m_filterText; }
    /// Reads anew; a filter that cannot be understood is an error with its position, and the old rows stay.
    void read(const QString &filterText);
    /// Reads these keys alone, which somebody chose elsewhere, whatever state they are in. What of them may go is
    /// checked. Until the next read() with a filter.
    void readChosen(const QList<sql::Cells> &identities);
    qsizetype chosenElsewhere() const { return m_identities.size(); } ///< keys asked for by readChosen(); 0: a filter
    qsizetype chosenBeyond() const
    {
        return m_beyond;
    } ///< further keys given to readChosen(): over kMostKeys, not read
    /// Every key shown is stuck: neither did somebody choose them, nor does the filter say which states are meant.
    bool stuckOnly() const;
    void refresh(); ///< the same keys, or what the same filter finds
    void cancel();

    bool busy() const { return m_reading.busy(); }
    bool loaded() const { return m_loaded; }
    bool more() const { return m_more; } ///< further keys match
    int unreadable() const { return m_unreadable; } ///< keys that are there, but could not be read
    const QStringList &notes() const { return m_notes; }
    const std::optional<sql::Error> &error() const { return m_reading.error(); }

    /// What an action on the checked keys would do.
    FrozenSet chosen() const;
    /// The same for one key, brought to a state of the person's own choice (nothing: deleted).
    FrozenSet chosenOne(int row, const std::optional<sql::KeyState> &to) const;
    QList<std::optional<sql::KeyState>> choices(int row) const;
    /// Rules exist for this verb on this target.
    bool hasRules(sql::ActionVerb verb) const;

signals:
    void changed();

private:
    void ask(const sql::Filter &filter);
    void forget(bool choices); ///< what was read, and what is on its way; choices: also what was taken out

    TriageModel *m_model;
    CauseController *m_causes;
    Request m_reading { QStringLiteral("triage") };
    TargetEntry m_target;
    sql::ActionVerb m_verb = sql::ActionVerb::Recover;
    QString m_filterText;
    QTimeZone m_zone = QTimeZone::utc();
    QList<sql::Cells> m_identities; ///< of readChosen()
    qsizetype m_beyond = 0;
    bool m_choiceEnded = false;
    bool m_statesNamed = false; ///< by the filter
    bool m_loaded = false;
    bool m_more = false;
    int m_unreadable = 0;
    QStringList m_notes;
};

} // namespace idemdesk::models
