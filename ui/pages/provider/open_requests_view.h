// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/provider/open_requests.h"
#include "sql/types/key_record.h"
#include "sql/types/provider.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class ConnectionController;
class ProviderController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class ContentStack;
class LinkButton;
class NoticeBar;

/// The keys of one table that wait for a provider: how far each got, its reference and age, and the provider's page.
class OpenRequestsView final : public QWidget
{
    Q_OBJECT

public:
    OpenRequestsView(models::ConnectionController *connection, models::ProviderController *provider,
        models::Settings *settings, QWidget *parent = nullptr);

    void setTimeFormat(const models::TimeFormat &format);
    void activate(); ///< reads what was never read
    void refresh();
    void read(); ///< by what is chosen and typed

signals:
    void connectClicked();
    void keyWanted(const QString &key);
    void counted(const QString &keys); ///< "71", "200+"; empty while nothing was read

private:
    QWidget *buildBar();
    QWidget *buildFoot();
    void wire();
    void lookAgain();
    void showKey();
    void sync();
    void syncEmpty();
    void syncRow();
    bool referenceIsCut(const sql::ProviderRow &row) const;
    void askExport();
    void showExported();

    models::ConnectionController *m_connection;
    models::ProviderController *m_provider;
    QComboBox *m_states;
    QLineEdit *m_filter;
    BusyBar *m_busy;
    NoticeBar *m_notice;
    ContentStack *m_stack;
    QTableView *m_table;
    QLabel *m_count;
    QLabel *m_reference;
    QPushButton *m_show;
    QPushButton *m_export;
    LinkButton *m_open;
    models::TimeFormat m_format;
    std::optional<models::WrittenReferences> m_written; ///< what the last export came to
    std::optional<sql::Error> m_exportError;
    std::optional<sql::KeyRecord> m_looked; ///< the key that was chosen before the list came anew
};

} // namespace idemdesk::ui
