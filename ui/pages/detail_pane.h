// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QTableView;
class QTreeView;

namespace idemdesk::models {
class JsonTreeModel;
class KeyBrowserController;
class KeyDetailController;
}

namespace idemdesk::ui {

class NoticeBar;
class StoryView;

/// All about the selected key: its story on one time line, every role and column, its payloads as JSON and as exact text.
/// Follows the selection without ever holding it up.
class DetailPane final : public QWidget
{
    Q_OBJECT

public:
    DetailPane(models::KeyBrowserController *browser, models::KeyDetailController *detail, QWidget *parent = nullptr);
    void showTab(const QString &name); ///< "story", "record" or "json"

private:
    QWidget *buildJsonTab();
    void update();
    void showPayload();
    void saveValue();
    void recordMenu(const QPoint &place);

    models::KeyBrowserController *m_browser;
    models::KeyDetailController *m_detail;
    QLabel *m_key;
    QLabel *m_summary;
    NoticeBar *m_notice;
    QTabWidget *m_tabs;
    StoryView *m_story;
    QTableView *m_record;
    QComboBox *m_payload;
    QLabel *m_payloadNote;
    QPushButton *m_save;
    QTreeView *m_tree;
    QPlainTextEdit *m_text;
    models::JsonTreeModel *m_json;
    QString m_shownPayload;
};

} // namespace idemdesk::ui
